//! Clients are told what changes on disk, each in the way of its era.

use std::fs;
use std::time::Duration;

use rmcp::ClientHandler;
use rmcp::model::{ResourceUpdatedNotificationParam, ServerNotification, SubscriptionFilter};
use rmcp::service::{NotificationContext, RoleClient};
use skillful_server::mcp::{McpOptions, McpServer};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;

use crate::world::{Silent, World, connect, discover};

/// Long enough for the slowest machine: only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone)]
struct Noting(UnboundedSender<String>);

impl ClientHandler for Noting {
    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        let _ = self.0.send("resources".to_owned());
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        let _ = self.0.send("prompts".to_owned());
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let _ = self.0.send(params.uri);
    }
}

async fn until(noted: &mut UnboundedReceiver<String>, wanted: &str) {
    while timeout(PATIENCE, noted.recv()).await.unwrap().unwrap() != wanted {}
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_client_is_told_of_new_skills_and_of_what_it_subscribed_to() {
    let world = World::with_greet();
    let server = McpServer::new(world.engine(true), McpOptions::default());
    let (sender, mut noted) = unbounded_channel();
    let client = connect(server, Noting(sender)).await;
    // The first search is over, and so is the set-up of the watch some time later: a file is touched until it is told.
    client.list_all_resources().await.unwrap();
    #[expect(deprecated, reason = "older clients subscribe so")]
    client
        .subscribe(rmcp::model::SubscribeRequestParams::new(
            "skill://greet/SKILL.md",
        ))
        .await
        .unwrap();
    let writing = touch(
        world.root().join("new"),
        world.root().join("greet/SKILL.md"),
    );
    until(&mut noted, "resources").await;
    until(&mut noted, "prompts").await;
    until(&mut noted, "skill://greet/SKILL.md").await;
    writing.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_the_present_era_is_told_what_it_listens_to() {
    let world = World::with_greet();
    let server = McpServer::new(world.engine(true), McpOptions::default());
    let client = discover(server, Silent).await;
    client.list_all_resources().await.unwrap();
    let filter = SubscriptionFilter::builder()
        .resources_list_changed()
        .resource_subscription("skill://greet/SKILL.md")
        .build();
    let mut subscription = client.listen(filter).await.unwrap();
    let writing = touch(
        world.root().join("new"),
        world.root().join("greet/SKILL.md"),
    );
    let (mut listed, mut updated) = (false, false);
    while !(listed && updated) {
        match timeout(PATIENCE, subscription.next())
            .await
            .unwrap()
            .unwrap()
        {
            Some(ServerNotification::ResourceListChangedNotification(_)) => listed = true,
            Some(ServerNotification::ResourceUpdatedNotification(update)) => {
                assert_eq!(update.params.uri, "skill://greet/SKILL.md");
                updated = true;
            }
            other => panic!("{other:?}"),
        }
    }
    writing.abort();
}

/// Makes new skills in a directory and changes one, again and again.
fn touch(new: std::path::PathBuf, changed: std::path::PathBuf) -> tokio::task::JoinHandle<()> {
    tokio::spawn(async move {
        for number in 0.. {
            let text =
                format!("---\nname: new-{number}\ndescription: New. Use when asked.\n---\nx\n");
            let directory = new.with_file_name(format!("new-{number}"));
            fs::create_dir_all(&directory).unwrap();
            fs::write(directory.join("SKILL.md"), text).unwrap();
            let text = format!(
                "---\nname: greet\ndescription: Greets {number}. Use when asked.\n---\nx\n"
            );
            fs::write(&changed, text).unwrap();
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    })
}
