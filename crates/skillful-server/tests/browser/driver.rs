//! A browser of our own: chromedriver on a free port, Chromium with a profile that goes with it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use serde_json::{Value, json};

/// How long a condition may take to come true on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub(crate) struct Browser {
    pub(crate) client: Client,
    driver: Child,
}

/// How the page is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    Light,
    Dark,
    Phone,
}

fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|directory| names.iter().map(move |name| directory.join(name)))
        .find(|candidate| candidate.is_file())
}

impl Browser {
    /// Starts one, where there is one.
    pub(crate) async fn start() -> Option<Self> {
        let chromium = program(&["chromium", "chromium-browser", "google-chrome"]);
        let driver = program(&["chromedriver"]);
        let (Some(chromium), Some(driver)) = (chromium, driver) else {
            assert!(
                std::env::var_os("SKILLFUL_BROWSER").is_none_or(|it| it != "required"),
                "chromium and chromedriver are required and not installed"
            );
            eprintln!("passed over: chromium and chromedriver are not installed");
            return None;
        };
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let (_, rest) = line.split_once("successfully on port ")?;
            Some(rest.trim_end_matches('.').to_owned())
        });
        // What it says later must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        let capabilities = json!({
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {
                "binary": chromium,
                "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run"],
            },
        });
        let Value::Object(capabilities) = capabilities else {
            unreachable!("it is an object");
        };
        let address = format!("http://127.0.0.1:{}", port.unwrap());
        let client = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(capabilities)
            .connect(&address)
            .await
            .unwrap();
        Some(Self { client, driver })
    }

    /// Ends it in good order.
    pub(crate) async fn end(mut self) {
        let _ = self.client.clone().close().await;
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }

    /// What a script gives.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    /// Waits until an expression is true.
    pub(crate) async fn until(&self, expression: &str) {
        let begun = Instant::now();
        let script = format!("return Boolean({expression})");
        while self.client.execute(&script, Vec::new()).await.ok() != Some(Value::Bool(true)) {
            if begun.elapsed() > PATIENCE {
                let text = self.run("return document.body.innerText").await;
                let logs = self.logs().await;
                panic!("never true: {expression}\n{text:#}\n{logs:#?}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until the page has this text somewhere.
    pub(crate) async fn until_text(&self, text: &str) {
        let text = Value::from(text);
        self.until(&format!("document.body.innerText.includes({text})"))
            .await;
    }

    /// Waits until nothing is loading any more: also what begins to load when something else is there.
    pub(crate) async fn settled(&self) {
        for _ in 0..3 {
            self.until("document.querySelector('#page-title') && !document.querySelector('.skeleton, .boot, .stale')")
                .await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The element that this selects, once it is there.
    pub(crate) async fn element(&self, css: &str) -> fantoccini::elements::Element {
        self.until(&format!("document.querySelector({})", Value::from(css)))
            .await;
        self.client
            .find(fantoccini::Locator::Css(css))
            .await
            .unwrap()
    }

    /// Clicks what this selects, once it can be clicked.
    pub(crate) async fn click(&self, css: &str) {
        self.until(&format!(
            "(() => {{ const it = document.querySelector({}); return it && !it.disabled }})()",
            Value::from(css)
        ))
        .await;
        self.element(css).await.click().await.unwrap();
    }

    /// Clicks the button or link with this text.
    pub(crate) async fn press(&self, text: &str) {
        let find = format!(
            "[...document.querySelectorAll('dialog[open] button, dialog[open] a')].concat([...document.querySelectorAll('button, a')]).find(it => it.textContent.trim() === {} && !it.disabled)",
            Value::from(text)
        );
        self.until(&find).await;
        self.run(&format!("{find}.click()")).await;
    }

    /// Types into whatever has the focus.
    pub(crate) async fn keys(&self, text: &str) {
        let focused = self.client.active_element().await.unwrap();
        focused.send_keys(text).await.unwrap();
    }

    /// Looks at the page in another way.
    pub(crate) async fn view(&self, view: View) {
        let (width, height) = if view == View::Phone {
            (360, 740)
        } else {
            (1280, 900)
        };
        let scheme = if view == View::Dark { "dark" } else { "light" };
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": view == View::Phone}),
        )
        .await;
        self.devtools(
            "Emulation.setEmulatedMedia",
            json!({"features": [
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ]}),
        )
        .await;
    }

    /// A command of the browser's own protocol.
    pub(crate) async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let body = json!({"cmd": command, "params": parameters});
        self.client
            .issue_cmd(Raw("goog/cdp/execute", body))
            .await
            .unwrap()
    }

    /// What the browser complained about since the last time, such as exceptions and breaches of the policy.
    pub(crate) async fn logs(&self) -> Vec<String> {
        let logs = self
            .client
            .issue_cmd(Raw("se/log", json!({"type": "browser"})))
            .await
            .unwrap();
        let logs = logs.as_array().unwrap().iter();
        logs.filter(|log| log["level"] == "SEVERE" || log["level"] == "WARNING")
            .map(|log| log["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}

/// A command that the library does not know: its path below the session, and its body.
#[derive(Debug)]
struct Raw(&'static str, Value);

impl WebDriverCompatibleCommand for Raw {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.0
        ))
    }

    fn method_and_body(&self, _: &url::Url) -> (axum::http::Method, Option<String>) {
        (axum::http::Method::POST, Some(self.1.to_string()))
    }
}
