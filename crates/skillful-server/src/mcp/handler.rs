//! The methods of the protocol, each handed on to the module that knows it.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    DiscoverResult, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams,
    GetSkillResult, Implementation, InitializeRequestParams, InitializeResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::page::Cursor;
use super::run::Unanswered;
use super::{
    McpServer, complete, extension, follow, instructions, prompts, reply, resources, tools,
};
use crate::limits;

type Context = RequestContext<RoleServer>;

impl McpServer {
    /// What the server says about itself to a client that connects. Only a server that shows the catalog has to know the
    /// skills for it.
    async fn instructions(&self, context: &Context) -> String {
        if !self.shared.options.instructions {
            return instructions::short();
        }
        let catalog = |engine: &crate::Engine| Ok(instructions::with_catalog(engine.system()?));
        let said = self.run(context, catalog).await;
        said.unwrap_or_else(|_| instructions::short())
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_completions()
            .enable_skills_with_directory_read()
            .build();
        let about = Implementation::new("skillful", env!("CARGO_PKG_VERSION"))
            .with_title("Skillful")
            .with_description("Agent Skills of this machine");
        ServerConfig::new(capabilities)
            .with_server_info(about)
            .with_instructions(instructions::short())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        result.instructions = Some(self.instructions(&context).await);
        Ok(result)
    }

    async fn discover(&self, context: Context) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        result.instructions = Some(self.instructions(&context).await);
        Ok(result)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.session
            .tell(context.peer, self.shared.changes.follow());
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        Cursor::of(request)?;
        let mut result = ListToolsResult::with_all_items(self.shared.tools.clone());
        result.ttl_ms = Some(limits::MCP_TTL_MS);
        Ok(result)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared
            .tools
            .iter()
            .find(|tool| tool.name == name)
            .cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::named(&request.name, self.shared.options.allow_write) else {
            return Err(tools::unknown(
                &request.name,
                self.shared.options.allow_write,
            ));
        };
        let call = match tool.parse(request.arguments.unwrap_or_default()) {
            Ok(call) => call,
            Err(failure) => return Ok(reply::failed(&failure).into()),
        };
        match self.run(&context, move |engine| call.answer(engine)).await {
            Ok(reply) => Ok(CallToolResult::from(reply).into()),
            Err(Unanswered::Failed(failure)) => Ok(reply::failed(&failure).into()),
            Err(gone @ Unanswered::Gone) => Err(gone.into()),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = Cursor::of(request)?;
        let list = move |engine: &crate::Engine| resources::list(engine, &cursor);
        Ok(self.run(&context, list).await?)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Cursor::of(request)?;
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = move |engine: &crate::Engine| resources::read(engine, &request.uri);
        Ok(self.run(&context, read).await?.into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: Context,
    ) -> Result<(), ErrorData> {
        let uri = request.uri.clone();
        let exists = move |engine: &crate::Engine| resources::exists(engine, &uri);
        self.run(&context, exists).await?;
        if self.session.subscribe(request.uri) {
            Ok(())
        } else {
            Err(resources::too_many_subscriptions())
        }
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: Context,
    ) -> Result<(), ErrorData> {
        self.session.unsubscribe(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = requested.supported_by(&self.get_info().capabilities);
        if let Some(uris) = &mut accepted.resource_subscriptions {
            uris.truncate(limits::MCP_SUBSCRIPTIONS);
        }
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let changes = self.shared.changes.follow();
        tokio::select! {
            () = context.cancelled() => {}
            () = follow::tell_subscription(context.sink(), changes) => {}
        }
        Ok(())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let cursor = Cursor::of(request)?;
        let list = move |engine: &crate::Engine| prompts::list(engine, &cursor);
        Ok(self.run(&context, list).await?)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let get =
            move |engine: &crate::Engine| prompts::get(engine, &request.name, request.arguments);
        Ok(self.run(&context, get).await?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        let complete = move |engine: &crate::Engine| complete::complete(engine, &request);
        Ok(CompleteResult::new(self.run(&context, complete).await?))
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListSkillsResult, ErrorData> {
        let cursor = Cursor::of(request)?;
        let list = move |engine: &crate::Engine| extension::list(engine, &cursor);
        Ok(self.run(&context, list).await?)
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: Context,
    ) -> Result<GetSkillResult, ErrorData> {
        let get = move |engine: &crate::Engine| extension::get(engine, &request.uri);
        Ok(self.run(&context, get).await?)
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: Context,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let cursor = Cursor::parse(request.cursor)?;
        let list =
            move |engine: &crate::Engine| resources::directory(engine, &request.uri, &cursor);
        Ok(self.run(&context, list).await?)
    }
}
