//! The made-up machine, served, with a browser in front of it.

use std::fs;
use std::path::PathBuf;

use skillful_server::Engine;
use skillful_server::demo::Demo;
use skillful_server::http::{Bound, Options};
use tokio::sync::oneshot;

use crate::driver::Browser;

/// A test's own world.
pub(crate) struct World {
    pub(crate) demo: Demo,
    pub(crate) browser: Browser,
    address: String,
    end: oneshot::Sender<()>,
}

impl World {
    /// The made-up machine as it is.
    pub(crate) async fn start() -> Option<Self> {
        Self::with(|_| {}, Options::default()).await
    }

    /// The same with more in it before anybody looks.
    pub(crate) async fn with(prepare: impl FnOnce(&Demo), options: Options) -> Option<Self> {
        let browser = Browser::start().await?;
        let demo = Demo::make().unwrap();
        prepare(&demo);
        let (address, end) = serve(&demo, options);
        Some(Self {
            demo,
            browser,
            address,
            end,
        })
    }

    /// Opens a page, such as `skills?state=broken`, and waits until it is there.
    pub(crate) async fn open(&self, page: &str) {
        let address = format!("{}/#/{page}", self.address);
        self.browser.client.goto("about:blank").await.unwrap();
        self.browser.client.goto(&address).await.unwrap();
        self.browser.settled().await;
    }

    /// A file of the machine.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.demo.home().join(path)
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).unwrap();
    }

    /// Takes the server away, as if it had crashed.
    pub(crate) fn stop(&mut self) {
        let (end, _) = oneshot::channel();
        let _ = std::mem::replace(&mut self.end, end).send(());
    }

    /// Ends the browser; nothing it complained about may be left.
    pub(crate) async fn end(self) {
        let logs = self.browser.logs().await;
        self.browser.end().await;
        let _ = self.end.send(());
        assert!(logs.is_empty(), "{logs:#?}");
    }

    /// Ends the browser, whatever it complained about.
    pub(crate) async fn end_anyway(self) {
        self.browser.end().await;
        let _ = self.end.send(());
    }
}

fn serve(demo: &Demo, options: Options) -> (String, oneshot::Sender<()>) {
    let options = Options {
        listen: ([127, 0, 0, 1], 0).into(),
        ..options
    };
    let bound = Bound::new(Engine::start(demo.settings()), options).unwrap();
    let address = format!("http://{}", bound.address());
    let (end, ended) = oneshot::channel();
    tokio::spawn(bound.serve(async {
        let _ = ended.await;
    }));
    (address, end)
}
