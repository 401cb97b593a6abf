// Generated from clients/openapi/remem.json by `make clients`.
export interface paths {
    "/health": {
        get: operations["health_health_get"];
    };
    "/health/ready": {
        get: operations["ready_health_ready_get"];
    };
    "/health/live": {
        get: operations["live_health_live_get"];
    };
    "/.well-known/agent.json": {
        get: operations["agent_card__well_known_agent_json_get"];
    };
    "/agent.json": {
        get: operations["agent_card_agent_json_get"];
    };
    "/admin/tenants": {
        get: operations["every_admin_tenants_get"];
    };
    "/admin/tenants/{id}": {
        get: operations["one_admin_tenants__id__get"];
        patch: operations["change_admin_tenants__id__patch"];
    };
    "/v3/auth/register": {
        post: operations["sign_up_v3_auth_register_post"];
    };
    "/v3/auth/login": {
        post: operations["log_in_v3_auth_login_post"];
    };
    "/v3/auth/options": {
        get: operations["options_v3_auth_options_get"];
    };
    "/v3/connections/{provider}/callback": {
        get: operations["callback_v3_connections__provider__callback_get"];
    };
    "/v3/webhooks/{provider}/{hook}": {
        post: operations["called_v3_webhooks__provider___hook__post"];
    };
    "/calendar/{secret}": {
        get: operations["read_calendar__secret__get"];
    };
    "/v3/memory": {
        post: operations["save_v3_memory_post"];
    };
    "/v3/recall": {
        post: operations["find_v3_recall_post"];
    };
    "/v3/documents/upload": {
        post: operations["upload_v3_documents_upload_post"];
    };
    "/v3/documents/{id}/original": {
        get: operations["original_v3_documents__id__original_get"];
    };
    "/v3/jobs/{id}": {
        get: operations["job_v3_jobs__id__get"];
    };
    "/v3/documents": {
        get: operations["page_v3_documents_get"];
    };
    "/v3/documents/{id}": {
        get: operations["read_v3_documents__id__get"];
        delete: operations["delete_v3_documents__id__delete"];
        patch: operations["change_v3_documents__id__patch"];
    };
    "/v3/documents/bulk": {
        post: operations["change_v3_documents_bulk_post"];
    };
    "/v3/documents/{id}/restore": {
        post: operations["restore_v3_documents__id__restore_post"];
    };
    "/v3/lines": {
        get: operations["lines_v3_lines_get"];
    };
    "/v3/chunks/{id}": {
        get: operations["read_v3_chunks__id__get"];
    };
    "/v3/ids/{short}": {
        get: operations["resolve_v3_ids__short__get"];
    };
    "/v3/jobs": {
        get: operations["latest_v3_jobs_get"];
    };
    "/v3/documents/{id}/retry": {
        post: operations["retry_v3_documents__id__retry_post"];
    };
    "/v3/memory-graph": {
        get: operations["memory_graph_v3_memory_graph_get"];
    };
    "/v3/documents/{id}/related": {
        get: operations["related_v3_documents__id__related_get"];
    };
    "/v3/stats": {
        get: operations["stats_v3_stats_get"];
    };
    "/v3/projects": {
        get: operations["list_all_v3_projects_get"];
        post: operations["create_v3_projects_post"];
    };
    "/v3/projects/{ref}": {
        get: operations["read_v3_projects__ref__get"];
        delete: operations["delete_v3_projects__ref__delete"];
        patch: operations["change_v3_projects__ref__patch"];
    };
    "/v3/auth/logout": {
        post: operations["log_out_v3_auth_logout_post"];
    };
    "/v3/whoami": {
        get: operations["who_am_i_v3_whoami_get"];
    };
    "/v3/account": {
        get: operations["read_v3_account_get"];
        delete: operations["delete_v3_account_delete"];
        patch: operations["change_v3_account_patch"];
    };
    "/v3/account/password": {
        post: operations["change_password_v3_account_password_post"];
    };
    "/v3/stats/daily": {
        get: operations["by_day_v3_stats_daily_get"];
    };
    "/v3/tags": {
        get: operations["by_tag_v3_tags_get"];
    };
    "/v3/live": {
        get: operations["live_v3_live_get"];
    };
    "/v3/api-keys": {
        get: operations["list_all_v3_api_keys_get"];
        post: operations["create_v3_api_keys_post"];
    };
    "/v3/api-keys/{id}": {
        delete: operations["revoke_v3_api_keys__id__delete"];
    };
    "/v3/auth/sessions": {
        get: operations["list_all_v3_auth_sessions_get"];
    };
    "/v3/auth/sessions/{id}": {
        delete: operations["end_v3_auth_sessions__id__delete"];
    };
    "/v3/auth/links": {
        post: operations["make_link_v3_auth_links_post"];
    };
    "/v3/grants": {
        get: operations["list_all_v3_grants_get"];
    };
    "/v3/grants/{id}": {
        delete: operations["revoke_v3_grants__id__delete"];
    };
    "/v3/organizations": {
        get: operations["list_all_v3_organizations_get"];
        post: operations["create_v3_organizations_post"];
    };
    "/v3/organizations/{id}": {
        delete: operations["delete_v3_organizations__id__delete"];
    };
    "/v3/organizations/{id}/members": {
        get: operations["list_members_v3_organizations__id__members_get"];
        post: operations["add_member_v3_organizations__id__members_post"];
        delete: operations["remove_member_v3_organizations__id__members_delete"];
        patch: operations["change_role_v3_organizations__id__members_patch"];
    };
    "/v3/export": {
        get: operations["give_out_v3_export_get"];
    };
    "/v3/import": {
        post: operations["bring_in_v3_import_post"];
    };
    "/v3/import/preview": {
        post: operations["preview_v3_import_preview_post"];
    };
    "/v3/samples": {
        get: operations["read_v3_samples_get"];
        post: operations["add_v3_samples_post"];
        delete: operations["remove_v3_samples_delete"];
    };
    "/v3/models": {
        get: operations["read_v3_models_get"];
    };
    "/v3/models/test": {
        post: operations["test_v3_models_test_post"];
    };
    "/v3/connectors": {
        get: operations["connectors_v3_connectors_get"];
    };
    "/v3/connectors/{provider}/check": {
        post: operations["check_before_v3_connectors__provider__check_post"];
    };
    "/v3/connections": {
        get: operations["list_all_v3_connections_get"];
    };
    "/v3/connectors/{provider}/connect": {
        post: operations["add_v3_connectors__provider__connect_post"];
    };
    "/v3/connections/{id}": {
        get: operations["read_v3_connections__id__get"];
        delete: operations["remove_v3_connections__id__delete"];
        patch: operations["change_v3_connections__id__patch"];
    };
    "/v3/connections/{id}/sync": {
        post: operations["sync_v3_connections__id__sync_post"];
    };
    "/v3/connections/{id}/items": {
        get: operations["items_v3_connections__id__items_get"];
    };
    "/v3/connections/{id}/resources": {
        get: operations["resources_v3_connections__id__resources_get"];
    };
    "/v3/connections/{id}/check": {
        post: operations["check_v3_connections__id__check_post"];
    };
    "/v3/extension/composers": {
        get: operations["composers_v3_extension_composers_get"];
    };
    "/v3/connections/{provider}/authorize": {
        post: operations["authorize_v3_connections__provider__authorize_post"];
    };
    "/v3/connectors/{provider}/device": {
        post: operations["begin_device_v3_connectors__provider__device_post"];
    };
    "/v3/connections/sign-ins/{id}/poll": {
        post: operations["poll_device_v3_connections_sign_ins__id__poll_post"];
    };
    "/v3/connections/{id}/webhook": {
        post: operations["add_v3_connections__id__webhook_post"];
    };
    "/v3/server": {
        get: operations["server_v3_server_get"];
    };
    "/v3/trash": {
        get: operations["trash_v3_trash_get"];
    };
    "/v3/instructions": {
        get: operations["list_all_v3_instructions_get"];
        post: operations["pin_v3_instructions_post"];
    };
    "/v3/instructions/{id}": {
        delete: operations["unpin_v3_instructions__id__delete"];
        patch: operations["change_v3_instructions__id__patch"];
    };
    "/v3/calendars": {
        get: operations["list_all_v3_calendars_get"];
        post: operations["create_v3_calendars_post"];
    };
    "/v3/calendars/{id}": {
        delete: operations["revoke_v3_calendars__id__delete"];
    };
    "/v3/deliveries": {
        get: operations["list_all_v3_deliveries_get"];
        post: operations["create_v3_deliveries_post"];
    };
    "/v3/deliveries/{id}": {
        delete: operations["delete_v3_deliveries__id__delete"];
        patch: operations["change_v3_deliveries__id__patch"];
    };
    "/v3/deliveries/{id}/confirm": {
        post: operations["confirm_v3_deliveries__id__confirm_post"];
    };
    "/v3/deliveries/{id}/test": {
        post: operations["test_v3_deliveries__id__test_post"];
    };
    "/v3/deliveries/{id}/log": {
        get: operations["log_v3_deliveries__id__log_get"];
    };
    "/v3/entities": {
        get: operations["list_all_v3_entities_get"];
    };
    "/v3/entities/{id}": {
        get: operations["get_v3_entities__id__get"];
        patch: operations["rename_v3_entities__id__patch"];
    };
    "/v3/entities/{id}/merge": {
        post: operations["merge_v3_entities__id__merge_post"];
    };
    "/v3/entities/{id}/split": {
        post: operations["split_v3_entities__id__split_post"];
    };
    "/v3/entity-changes": {
        get: operations["changes_v3_entity_changes_get"];
    };
    "/v3/entity-changes/{id}/undo": {
        post: operations["undo_v3_entity_changes__id__undo_post"];
    };
    "/v3/pasted-profile": {
        get: operations["prompt_v3_pasted_profile_get"];
        post: operations["read_v3_pasted_profile_post"];
    };
    "/v3/documents/{id}/highlights": {
        get: operations["of_document_v3_documents__id__highlights_get"];
        post: operations["add_v3_documents__id__highlights_post"];
    };
    "/v3/documents/{id}/highlights/{highlight_id}": {
        delete: operations["remove_v3_documents__id__highlights__highlight_id__delete"];
        patch: operations["change_v3_documents__id__highlights__highlight_id__patch"];
    };
    "/v3/highlights": {
        get: operations["page_v3_highlights_get"];
    };
    "/v3/documents/{id}/copy": {
        get: operations["show_v3_documents__id__copy_get"];
        post: operations["keep_v3_documents__id__copy_post"];
    };
    "/v3/checkup": {
        get: operations["overview_v3_checkup_get"];
    };
    "/v3/checkup/undo": {
        post: operations["undo_v3_checkup_undo_post"];
    };
    "/v3/checkup/{finding}": {
        get: operations["items_v3_checkup__finding__get"];
    };
    "/v3/checkup/{finding}/fix": {
        post: operations["fix_v3_checkup__finding__fix_post"];
    };
    "/v1/documents": {
        post: operations["save_v1_documents_post"];
    };
    "/v1/documents/upload": {
        post: operations["upload_v1_documents_upload_post"];
    };
    "/v1/documents/{id}": {
        get: operations["read_v1_documents__id__get"];
        delete: operations["delete_v1_documents__id__delete"];
    };
    "/v1/documents/list": {
        post: operations["list_all_v1_documents_list_post"];
    };
    "/v1/memories/forget": {
        post: operations["forget_v1_memories_forget_post"];
    };
    "/v1/memories/{id}": {
        get: operations["read_v1_memories__id__get"];
        delete: operations["delete_v1_memories__id__delete"];
        patch: operations["change_v1_memories__id__patch"];
    };
    "/v1/memories/{id}/related": {
        get: operations["related_v1_memories__id__related_get"];
    };
    "/v1/search": {
        post: operations["search_v1_search_post"];
    };
    "/v1/profile": {
        get: operations["profile_v1_profile_get"];
    };
    "/v1/containers": {
        get: operations["list_all_v1_containers_get"];
    };
    "/v1/containers/{name}": {
        delete: operations["delete_v1_containers__name__delete"];
    };
    "/v1/containers/{name}/archive": {
        post: operations["archive_v1_containers__name__archive_post"];
    };
    "/v1/stats": {
        get: operations["stats_v1_stats_get"];
    };
    "/api/memories/timeline": {
        get: operations["timeline_api_memories_timeline_get"];
    };
    "/api/memories/batch-get": {
        post: operations["batch_get_api_memories_batch_get_post"];
    };
    "/api/memories/foresight/active": {
        get: operations["foresight_api_memories_foresight_active_get"];
    };
    "/api/memories/providers": {
        get: operations["providers_api_memories_providers_get"];
    };
    "/api/memories/contradictions": {
        get: operations["contradictions_api_memories_contradictions_get"];
        post: operations["settle_pair_api_memories_contradictions_post"];
    };
    "/api/memories/search": {
        get: operations["search_api_memories_search_get"];
    };
    "/api/memories/search-index": {
        get: operations["search_index_api_memories_search_index_get"];
    };
    "/api/memories": {
        get: operations["list_all_api_memories_get"];
        post: operations["save_api_memories_post"];
    };
    "/api/memories/{id}": {
        get: operations["read_api_memories__id__get"];
        put: operations["change_api_memories__id__put"];
        delete: operations["delete_api_memories__id__delete"];
    };
    "/api/memories/merge": {
        post: operations["merge_api_memories_merge_post"];
    };
    "/api/memories/{id}/history": {
        get: operations["history_api_memories__id__history_get"];
    };
    "/api/memories/{id}/lifecycle": {
        post: operations["lifecycle_api_memories__id__lifecycle_post"];
    };
    "/api/memories/{id}/feedback": {
        post: operations["feedback_api_memories__id__feedback_post"];
    };
    "/api/memories/{id}/restore": {
        post: operations["restore_api_memories__id__restore_post"];
    };
    "/api/memories/{id}/derive": {
        post: operations["derive_api_memories__id__derive_post"];
    };
    "/api/projects": {
        get: operations["list_all_api_projects_get"];
        post: operations["create_api_projects_post"];
    };
    "/api/sessions": {
        get: operations["list_all_api_sessions_get"];
        post: operations["start_api_sessions_post"];
    };
    "/api/sessions/{id}": {
        get: operations["read_api_sessions__id__get"];
        delete: operations["delete_api_sessions__id__delete"];
    };
    "/api/sessions/{id}/turns": {
        post: operations["say_api_sessions__id__turns_post"];
    };
    "/api/sessions/{id}/close": {
        post: operations["close_api_sessions__id__close_post"];
    };
    "/api/agent/ask": {
        post: operations["ask_api_agent_ask_post"];
    };
    "/api/prompt": {
        post: operations["help_with_prompt_api_prompt_post"];
    };
    "/api/prompt/{id}": {
        put: operations["switch_api_prompt__id__put"];
    };
    "/api/agent/diagnostics": {
        get: operations["diagnostics_api_agent_diagnostics_get"];
    };
    "/api/evolve/jobs": {
        get: operations["jobs_api_evolve_jobs_get"];
        post: operations["request_api_evolve_jobs_post"];
    };
    "/api/evolve/run": {
        get: operations["upcoming_api_evolve_run_get"];
        post: operations["run_api_evolve_run_post"];
    };
    "/api/evolve/arena": {
        get: operations["arena_api_evolve_arena_get"];
        post: operations["campaign_api_evolve_arena_post"];
    };
    "/api/evolve/policy": {
        get: operations["policy_api_evolve_policy_get"];
        post: operations["pin_api_evolve_policy_post"];
    };
    "/api/evolve/signals": {
        get: operations["signals_api_evolve_signals_get"];
        post: operations["signal_api_evolve_signals_post"];
    };
    "/api/evolve/actions": {
        get: operations["actions_api_evolve_actions_get"];
    };
    "/api/evolve/actions/{id}/undo": {
        post: operations["undo_api_evolve_actions__id__undo_post"];
    };
    "/api/feeds": {
        get: operations["list_all_api_feeds_get"];
        post: operations["add_api_feeds_post"];
    };
    "/api/feeds/{id}": {
        delete: operations["remove_api_feeds__id__delete"];
    };
    "/api/feeds/collect": {
        post: operations["collect_api_feeds_collect_post"];
    };
    "/api/api-keys": {
        get: operations["list_all_api_api_keys_get"];
        post: operations["create_api_api_keys_post"];
    };
    "/api/api-keys/{id}": {
        delete: operations["revoke_api_api_keys__id__delete"];
    };
    "/api/subscription": {
        get: operations["subscription_api_subscription_get"];
    };
    "/api/events": {
        get: operations["events_api_events_get"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Accepted: {
            id: string;
            status: string;
            container: string;
            duplicate?: boolean;
            job_id?: string | null;
            added_tags?: string[];
            not_taken?: string[];
            made_mine?: boolean;
        };
        AccountChange: {
            email?: string | null;
            name?: string | null;
        };
        AccountOut: {
            user_id: string;
            email: string;
            name: string;
            has_password: boolean;
            created_at: string;
        };
        ActionList: {
            actions: components["schemas"]["ActionOut"][];
            next_cursor: string | null;
        };
        ActionOut: {
            id: string;
            action: "merge" | "decay" | "promote" | "derive";
            memoryId: string;
            content: string;
            intoId: string | null;
            intoContent: string | null;
            projectId: string;
            project: string;
            similarity: number | null;
            before: number | string | null;
            after: number | string | null;
            createdAt: string;
            undoneAt: string | null;
        };
        AgentCard: {
            name: string;
            description: string;
            version: string;
            url: string;
            documentationUrl: string;
            openapiUrl: string;
            apiUrls: string[];
            healthUrl: string;
            diagnosticsUrl: string;
            mcp: components["schemas"]["McpOut"];
            authentication: components["schemas"]["AuthenticationOut"];
            capabilities: string[];
        };
        AgentKey: {
            id: string;
            name: string;
            keyPrefix: string;
            scopes: string[];
            createdAt: string;
            lastUsedAt: string | null;
            expiresAt: string | null;
            key: string;
        };
        AgentKeyIn: {
            name: string;
            scopes?: components["schemas"]["Right"][];
            expiresAt?: string | null;
            expiresInDays?: number | null;
        };
        AgentKeyLine: {
            id: string;
            name: string;
            keyPrefix: string;
            scopes: string[];
            createdAt: string;
            lastUsedAt: string | null;
            expiresAt: string | null;
        };
        AgentKeyList: {
            keys: components["schemas"]["AgentKeyLine"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        AgentMemory: {
            id: string;
            kind?: string;
            url?: string;
            title: string | null;
            content: string;
            category: string;
            project: string;
            projectId: string;
            sessionId: string | null;
            documentId: string | null;
            tags: string[];
            context: {
                [key: string]: unknown;
            };
            confidence: number;
            state: string;
            quality: string;
            isCurrent: boolean;
            version: number;
            rootId: string;
            supersedesId: string | null;
            validFrom: string | null;
            validUntil: string | null;
            occurredAt: string | null;
            dueAt: string | null;
            speaker: string | null;
            saidAt: string | null;
            dates: components["schemas"]["DateOut"][];
            accessCount: number;
            lastAccessedAt: string | null;
            source: string;
            evidence: {
                [key: string]: unknown;
            };
            partOf?: string | null;
            replacedBy?: components["schemas"]["ReplacedBy"] | null;
            createdAt: string;
            updatedAt: string;
        };
        AgentMemoryPage: {
            memories: components["schemas"]["AgentMemory"][];
            total: number;
            next_cursor: string | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        AgentProject: {
            id: string;
            name: string;
            slug: string;
            description: string | null;
            parentId: string | null;
            isDefault: boolean;
            documentCount: number;
            createdAt: string;
        };
        AgentProjectIn: {
            name: string;
            description?: string | null;
            slug?: string | null;
        };
        AgentProjectList: {
            projects: components["schemas"]["AgentProject"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        AgentSession: {
            id: string;
            project: string;
            projectId: string;
            agent: string | null;
            title: string | null;
            key: string | null;
            recorded: boolean;
            turnCount: number;
            createdAt: string;
            updatedAt: string;
            closedAt: string | null;
        };
        AgentSessionDetail: {
            id: string;
            project: string;
            projectId: string;
            agent: string | null;
            title: string | null;
            key: string | null;
            recorded: boolean;
            turnCount: number;
            createdAt: string;
            updatedAt: string;
            closedAt: string | null;
            turns: components["schemas"]["AgentTurn"][];
            next_cursor: string | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        AgentSessionPage: {
            sessions: components["schemas"]["AgentSession"][];
            total: number;
            next_cursor: string | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        AgentTurn: {
            id: string;
            sessionId: string;
            role: string;
            content: string;
            recalled: string[];
            used: string[];
            erased: boolean;
            answer?: {
                [key: string]: unknown;
            } | null;
            at: string;
        };
        ArchivedOut: {
            name: string;
            archived_to: string;
            documents_moved: number;
            memories_moved: number;
            duplicates_dropped: number;
        };
        ArenaOut: {
            projectId: string | null;
            project: string | null;
            episodes: number;
            arms: components["schemas"]["ArmScore"][];
            policy: components["schemas"]["PolicyOut"];
        };
        ArmScore: {
            id: string;
            mode: string;
            documents: boolean;
            vector: boolean;
            pulls: number;
            score: number;
            error: number | null;
            ucb: number | null;
            recall: number;
            precision: number;
            documentRecall: number;
            latency: number;
            diversity: number;
            tookMs: number;
        };
        AskIn: {
            question: string;
            sessionId?: string | null;
            project?: string | null;
            asOf?: string | null;
            askedAt?: string | null;
            record?: boolean;
            model?: boolean;
            agent?: string | null;
            stream?: boolean;
        };
        AskOut: {
            question: string;
            known: boolean;
            answer: string;
            kind: string;
            claims: components["schemas"]["ClaimOut"][];
            citations: components["schemas"]["CitationOut"][];
            nearest: components["schemas"]["CitationOut"][];
            confidence: number;
            method: string;
            model: string | null;
            sessionId: string | null;
            tookMs: number;
        };
        AuthenticationOut: {
            schemes: string[];
            scopes: string[];
            resourceMetadataUrl: string;
            authorizationServerUrl: string;
        };
        BackupsOut: {
            is_on: boolean;
            last_at: string | null;
            bytes: number | null;
            failed_at: string | null;
            error: string | null;
            is_overdue: boolean;
        };
        BatchOut: {
            memories: components["schemas"]["AgentMemory"][];
            missing: string[];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        Body_keep_v3_documents__id__copy_post: {
            file: string;
        };
        Body_upload_v1_documents_upload_post: {
            file: string;
            container?: string | null;
            content_type?: string | null;
            metadata?: string | null;
            tags?: string[] | null;
            index_only?: boolean;
        };
        Body_upload_v3_documents_upload_post: {
            file: string;
            title?: string | null;
            project_id?: string | null;
            project?: string | null;
            content_type?: ("text" | "markdown" | "html" | "pdf" | "image" | "audio" | "video" | "code" | "json" | "csv" | "docx" | "xlsx" | "pptx" | "epub" | "email" | "tweet" | "subtitles" | "note") | null;
            source_url?: string | null;
            metadata?: string | null;
            tags?: string[] | null;
            updates_memory_id?: string | null;
            forget_after?: string | null;
            index_only?: boolean;
        };
        BulkIn: {
            ids: string[];
            action: "delete" | "restore" | "move" | "tag" | "untag" | "flag" | "unflag";
            project?: string | null;
            tags?: string[];
            flags?: ("unread" | "favourite" | "archived")[];
            undo?: boolean;
        };
        BulkOut: {
            done: number;
            failed: number;
            results: components["schemas"]["OutcomeOut"][];
        };
        CalendarIn: {
            name: string;
            project?: string | null;
            project_id?: string | null;
        };
        CalendarList: {
            calendars: components["schemas"]["CalendarOut"][];
            limit: number;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        CalendarOut: {
            id: string;
            name: string;
            project: string | null;
            created_at: string;
            last_read_at: string | null;
            expires_at: string | null;
        };
        CampaignIn: {
            project?: string | null;
            maxProjects?: number;
            timeBudgetMs?: number;
        };
        CampaignOut: {
            projects: components["schemas"]["TrialOut"][];
        };
        CheckOut: {
            account: string;
            seen: number;
            more: boolean;
            paths: string[];
            resources: components["schemas"]["ResourceOut"][];
            usage: components["schemas"]["UsageOut"] | null;
        };
        CheckUpOut: {
            findings: components["schemas"]["FindingOut"][];
        };
        ChunkOut: {
            memory_id: string;
            kind: "chunk" | "memory";
            url: string;
            content: string;
            chunk_index: number;
            score: number;
            start_offset: number;
            end_offset: number;
            page?: number | null;
            at_s?: number | null;
            heading_path?: string[];
            speaker?: string | null;
            said_at?: string | null;
            occurred_at?: string | null;
            due_at?: string | null;
            memories?: components["schemas"]["StatementOut"][];
            replaced_by?: components["schemas"]["ReplacementOut"] | null;
            explain?: components["schemas"]["PartsOut"] | null;
        };
        ChunkPage: {
            id: string;
            document_id: string;
            document_url: string;
            title: string;
            content: string;
            chunk_index: number;
            start_offset: number;
            end_offset: number;
            page: number | null;
            at_s: number | null;
            heading_path: string[];
            speaker: string | null;
            said_at: string | null;
            project_id: string;
            created_at: string;
        };
        CitationOut: {
            number: number;
            kind: string;
            sentence: string;
            mark: number[];
            start: number;
            end: number;
            url: string;
            documentId: string | null;
            memoryId: string | null;
            chunkId: string | null;
            title: string | null;
            contentType?: string | null;
            speaker: string | null;
            saidAt: string | null;
            occurredAt?: string | null;
            dueAt?: string | null;
        };
        ClaimOut: {
            text: string;
            citations: number[];
        };
        CodeIn: {
            code: string;
        };
        CollectOut: {
            jobId: string;
        };
        ComposerOut: {
            name: string;
            hosts: string[];
            selectors: string[];
            paste: boolean;
        };
        ComposersOut: {
            version: string;
            composers: components["schemas"]["ComposerOut"][];
        };
        ConnectIn: {
            fields?: {
                [key: string]: string;
            };
            chosen?: string[];
            project?: string | null;
            interval_s?: number | null;
        };
        ConnectionDetail: {
            id: string;
            provider: string;
            account: string;
            project: string;
            project_id: string;
            chosen: string[];
            status: string;
            error: string | null;
            items: number;
            problems: number;
            interval_s: number;
            next_at: string | null;
            last_synced_at: string | null;
            created_at: string;
            updated_at: string;
            usage: components["schemas"]["UsageOut"] | null;
            runs: components["schemas"]["RunOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        ConnectionList: {
            connections: components["schemas"]["ConnectionOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        ConnectionOut: {
            id: string;
            provider: string;
            account: string;
            project: string;
            project_id: string;
            chosen: string[];
            status: string;
            error: string | null;
            items: number;
            problems: number;
            interval_s: number;
            next_at: string | null;
            last_synced_at: string | null;
            created_at: string;
            updated_at: string;
            usage: components["schemas"]["UsageOut"] | null;
        };
        ConnectionPatch: {
            chosen?: string[] | null;
            project?: string | null;
            interval_s?: number | null;
            paused?: boolean | null;
        };
        ConnectorList: {
            connectors: components["schemas"]["ConnectorOut"][];
        };
        ConnectorOut: {
            provider: string;
            title: string;
            about: string;
            help: string;
            fields: components["schemas"]["FieldOut"][];
            needs_admin: boolean;
            needs_choice: boolean;
            choice: string | null;
            consent: components["schemas"]["ConsentWay"] | null;
            webhooks: boolean;
            manifest: string | null;
            docs: string;
        };
        ConsentIn: {
            client_id?: string | null;
            client_secret?: string | null;
            chosen?: string[];
            project?: string | null;
            interval_s?: number | null;
            fields?: {
                [key: string]: string;
            };
        };
        ConsentOut: {
            auth_url: string;
            redirect_uri: string;
            expires_at: string;
        };
        ConsentWay: {
            ready: boolean;
            device: boolean;
            redirect_uri: string;
            scopes: string[];
        };
        ContainerDocument: {
            id: string;
            container: string;
            title: string;
            summary: string | null;
            content_type: string;
            source_url: string | null;
            metadata: {
                [key: string]: unknown;
            };
            tags: string[];
            status: string;
            error_message: string | null;
            duplicate_of: string | null;
            chunk_count: number;
            created_at: string;
            updated_at: string;
        };
        ContainerList: {
            containers: components["schemas"]["ContainerOut"][];
            total: number;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        ContainerOut: {
            id: string;
            name: string;
            description: string | null;
            parent: string | null;
            memory_count: number;
            document_count: number;
            archived_at: string | null;
            created_at: string;
        };
        ContextOut: {
            text: string;
            tokens: number;
            left_out: number;
        };
        ContradictionOut: {
            newer: components["schemas"]["AgentMemory"];
            older: components["schemas"]["AgentMemory"];
            confidence: number;
        };
        ContradictionsOut: {
            contradictions: components["schemas"]["ContradictionOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
            total: number;
            next_cursor?: string | null;
        };
        CountsOut: {
            documents: number;
            documents_by_status: {
                [key: string]: number;
            };
            chunks: number;
            memories: number;
            entities: number;
            relationships: number;
            containers: number;
            embedding_coverage: number;
        };
        DateOut: {
            text: string;
            start: string | null;
            end: string | null;
            certain: boolean;
        };
        DayOut: {
            day: string;
            documents: number;
            memories: number;
            occurred: number;
            due: number;
        };
        DaysOut: {
            days: components["schemas"]["DayOut"][];
        };
        DeletedDocumentOut: {
            id: string;
            title: string;
            deleted_at: string;
            restorable_until: string;
        };
        DeletedMemoryOut: {
            id: string;
            content: string;
            deleted_at: string | null;
        };
        DeliveryChange: {
            at?: string | null;
            time_zone?: string | null;
            is_on?: boolean | null;
        };
        DeliveryIn: {
            channel: "mail" | "ntfy" | "webhook";
            address: string;
            token?: string | null;
            at?: string;
            time_zone?: string;
        };
        DeliveryList: {
            deliveries: components["schemas"]["DeliveryOut"][];
            channels: ("mail" | "ntfy" | "webhook")[];
            limit: number;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        DeliveryLog: {
            messages: components["schemas"]["MessageOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        DeliveryOut: {
            id: string;
            channel: "mail" | "ntfy" | "webhook";
            address: string;
            at: string;
            time_zone: string;
            is_on: boolean;
            is_confirmed: boolean;
            next_at: string | null;
            expires_at: string | null;
            created_at: string;
            last: components["schemas"]["MessageOut"] | null;
        };
        DerivedOut: {
            id: string;
            facts: components["schemas"]["AgentMemory"][];
            foresight: components["schemas"]["AgentMemory"][];
            memory: components["schemas"]["AgentMemory"];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        DeviceOut: {
            user_code: string;
            verification_url: string;
            id: string;
            interval_s: number;
            expires_at: string;
        };
        DiagnosticsOut: {
            status: "ok" | "degraded" | "off";
            version: string;
            isOperator: boolean;
            checks: components["schemas"]["PartOut"][];
            providers: components["schemas"]["ProviderStateOut"][];
            jobs: {
                [key: string]: number;
            };
            vectorMove: components["schemas"]["VectorProgressOut"] | null;
        };
        DocumentChange: {
            title?: string | null;
            content?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            tags?: string[] | null;
            mine?: boolean | null;
            unread?: boolean | null;
            favourite?: boolean | null;
            archived?: boolean | null;
            forget_after?: string | null;
            project_id?: string | null;
            project?: string | null;
        };
        DocumentChunk: {
            memory_id: string;
            content: string;
            chunk_index: number;
            start_offset: number;
            end_offset: number;
            page: number | null;
            at_s: number | null;
            heading_path: string[];
        };
        DocumentIn: {
            content?: string | null;
            url?: string | null;
            file?: string | null;
            filename?: string | null;
            container?: string | null;
            content_type?: ("audio" | "code" | "csv" | "docx" | "email" | "epub" | "html" | "image" | "json" | "markdown" | "note" | "pdf" | "pptx" | "subtitles" | "text" | "tweet" | "url" | "video" | "xlsx") | null;
            metadata?: {
                [key: string]: unknown;
            };
            tags?: string[];
            index_only?: boolean;
            unread?: boolean;
        };
        DocumentLine: {
            id: string;
            project_id: string;
            title: string;
            summary: string | null;
            excerpt: string;
            content_type: string;
            source_url: string | null;
            metadata: {
                [key: string]: unknown;
            };
            tags: string[];
            mine: boolean;
            unread: boolean;
            favourite: boolean;
            archived: boolean;
            size_bytes?: number | null;
            status: string;
            error: string | null;
            chunk_count: number;
            version: number;
            updates_memory_id: string | null;
            duplicate_of: string | null;
            has_original: boolean;
            has_copy: boolean;
            forget_after: string | null;
            last_accessed_at: string | null;
            created_at: string;
            updated_at: string;
        };
        DocumentList: {
            documents: components["schemas"]["ContainerDocument"][];
            total: number;
            next_cursor: string | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        DocumentOut: {
            id: string;
            project_id: string;
            title: string;
            summary: string | null;
            excerpt: string;
            content_type: string;
            source_url: string | null;
            metadata: {
                [key: string]: unknown;
            };
            tags: string[];
            mine: boolean;
            unread: boolean;
            favourite: boolean;
            archived: boolean;
            size_bytes?: number | null;
            status: string;
            error: string | null;
            chunk_count: number;
            version: number;
            updates_memory_id: string | null;
            duplicate_of: string | null;
            has_original: boolean;
            has_copy: boolean;
            forget_after: string | null;
            last_accessed_at: string | null;
            created_at: string;
            updated_at: string;
            content: string;
            text_start: number;
            chunks: components["schemas"]["DocumentChunk"][];
            versions?: components["schemas"]["VersionLine"][] | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        DocumentPage: {
            documents: components["schemas"]["DocumentLine"][];
            total: number;
            next_cursor: string | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        DueOut: {
            memories: components["schemas"]["AgentMemory"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        EntitiesUndone: {
            entities: components["schemas"]["EntityOut"][];
        };
        EntityChangeList: {
            changes: components["schemas"]["EntityChangeOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        EntityChangeOut: {
            id: string;
            kind: "rename" | "merge" | "split";
            summary: string;
            created_at: string;
            undone_at: string | null;
        };
        EntityChanged: {
            id: string;
            name: string;
            type: "person" | "organization" | "place" | "system" | "concept" | "technology" | "api" | "file" | "event";
            aliases: string[];
            project: string;
            project_id: string;
            mention_count: number;
            created_at: string;
            change_id: string;
        };
        EntityList: {
            entities: components["schemas"]["EntityOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        EntityMergeIn: {
            entity_ids: string[];
        };
        EntityOut: {
            id: string;
            name: string;
            type: "person" | "organization" | "place" | "system" | "concept" | "technology" | "api" | "file" | "event";
            aliases: string[];
            project: string;
            project_id: string;
            mention_count: number;
            created_at: string;
        };
        EntityRenameIn: {
            name: string;
        };
        EntitySplitIn: {
            name: string;
            type?: ("person" | "organization" | "place" | "system" | "concept" | "technology" | "api" | "file" | "event") | null;
            spellings?: string[];
            memory_ids?: string[];
        };
        EntityWithMemories: {
            id: string;
            name: string;
            type: "person" | "organization" | "place" | "system" | "concept" | "technology" | "api" | "file" | "event";
            aliases: string[];
            project: string;
            project_id: string;
            mention_count: number;
            created_at: string;
            memories: components["schemas"]["MentioningMemory"][];
        };
        EventOut: {
            id: string;
            subjectKind: string;
            subjectId: string;
            subjectName?: string | null;
            type: string;
            data: {
                [key: string]: unknown;
            };
            actor: string;
            actorName?: string | null;
            requestId: string | null;
            createdAt: string;
            imported: boolean;
            claimedActor: string | null;
        };
        EventPage: {
            events: components["schemas"]["EventOut"][];
            next_cursor: string | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        EvolutionDueOut: {
            jobType: string;
            projectId: string | null;
            priority: number;
        };
        EvolutionJobIn: {
            jobType: "arena" | "embedding" | "derivation" | "consolidation" | "graph" | "learning_propagation" | "learning";
            project?: string | null;
        };
        EvolutionJobList: {
            jobs: components["schemas"]["EvolutionJobOut"][];
            next_cursor: string | null;
        };
        EvolutionJobOut: {
            id: string;
            jobType: string;
            projectId: string | null;
            status: string;
            priority: number;
            attempts: number;
            result: {
                [key: string]: unknown;
            };
            error: string | null;
            createdAt: string;
            startedAt: string | null;
            finishedAt: string | null;
        };
        EvolutionRunOut: {
            scheduled: components["schemas"]["EvolutionJobOut"][];
            jobs: components["schemas"]["EvolutionJobOut"][];
            tookMs: number;
            left: boolean;
        };
        ExampleOut: {
            kind: string;
            label: string;
        };
        FeedIn: {
            url: string;
            kind?: "research" | "projects";
            project?: string | null;
            projectId?: string | null;
        };
        FeedList: {
            feeds: components["schemas"]["FeedOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        FeedOut: {
            id: string;
            url: string;
            kind: string;
            project: string;
            projectId: string;
            title: string | null;
            error: string | null;
            failures: number;
            collectedAt: string | null;
            createdAt: string;
        };
        FeedbackIn: {
            type: "helpful" | "not_helpful" | "outdated" | "wrong";
        };
        FieldOut: {
            name: string;
            label: string;
            secret: boolean;
            required: boolean;
            example: string;
            long: boolean;
        };
        FiltersIn: {
            content_type?: ("text" | "markdown" | "html" | "pdf" | "image" | "audio" | "video" | "code" | "json" | "csv" | "docx" | "xlsx" | "pptx" | "epub" | "email" | "tweet" | "subtitles" | "note")[];
            created_after?: string | null;
            created_before?: string | null;
            tags?: string[];
            category?: ("fact" | "preference" | "decision" | "context" | "episode" | "insight" | "task" | "pattern" | "lesson" | "procedure" | "note")[];
            metadata?: {
                [key: string]: unknown;
            };
            flags?: ("unread" | "favourite" | "archived")[];
        };
        FindingItemOut: {
            key: string;
            subject: "memory" | "document" | "connection" | "agent" | "server";
            id: string;
            text: string;
            detail: string;
            other_id: string | null;
            at: string | null;
            is_fixable: boolean;
        };
        FindingOut: {
            kind: "duplicates" | "contradictions" | "lost_sources" | "never_recalled" | "without_vectors" | "capture_gaps" | "languages" | "secrets" | "backups";
            count: number;
            is_more: boolean;
            says: string;
            action: ("merge" | "keep_newer" | "trash" | "embed" | "sync" | "mask" | "back_up") | null;
        };
        FindingPageOut: {
            items: components["schemas"]["FindingItemOut"][];
            next_cursor: string | null;
        };
        FixIn: {
            keys: string[];
        };
        FixOut: {
            done: number;
            failed: number;
            results: components["schemas"]["FixResultOut"][];
        };
        FixResultOut: {
            key: string;
            undo: string | null;
            error: string | null;
        };
        ForgetIn: {
            query: string;
            container?: string | null;
            dry_run?: boolean;
            threshold?: number;
        };
        ForgottenLine: {
            id: string;
            content: string;
            memory_type: string;
            container: string;
            similarity: number;
        };
        ForgottenOut: {
            dry_run: boolean;
            memories: components["schemas"]["ForgottenLine"][];
            total: number;
            forgotten: number;
            more: boolean;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        GrantLine: {
            id: string;
            client_id: string;
            client_name: string;
            client_uri: string | null;
            scopes: string[];
            resource: string;
            created_at: string;
            last_used_at: string | null;
        };
        GrantList: {
            grants: components["schemas"]["GrantLine"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        GraphEdge: {
            source: string;
            target: string;
            relation: string;
            weight: number;
        };
        GraphNode: {
            id: string;
            kind: "memory" | "entity" | "document" | "tag";
            label: string;
            type: string;
            weight: number;
            project_id: string | null;
            created_at: string;
            document_count: number;
        };
        GraphOut: {
            nodes: components["schemas"]["GraphNode"][];
            edges: components["schemas"]["GraphEdge"][];
            truncated: boolean;
        };
        Health: {
            status: string;
            checks: {
                [key: string]: string;
            };
            version: string;
            retry_in_s?: {
                [key: string]: number;
            };
        };
        HighlightIn: {
            quote?: string;
            before?: string;
            after?: string;
            start?: number | null;
            end?: number | null;
            note?: string | null;
            keep?: boolean;
        };
        HighlightLine: {
            id: string;
            url: string;
            document_id: string;
            quote: string;
            note: string | null;
            start: number | null;
            end: number | null;
            before: string;
            after: string;
            tags: string[];
            created_at: string;
            updated_at: string;
            document_title: string;
        };
        HighlightOut: {
            id: string;
            url: string;
            document_id: string;
            quote: string;
            note: string | null;
            start: number | null;
            end: number | null;
            before: string;
            after: string;
            tags: string[];
            created_at: string;
            updated_at: string;
        };
        HighlightPage: {
            highlights: components["schemas"]["HighlightLine"][];
            next_cursor: string | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        HighlightsOut: {
            highlights: components["schemas"]["HighlightOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        HistoryOut: {
            versions: components["schemas"]["AgentMemory"][];
            events: components["schemas"]["EventOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        HookOut: {
            url: string;
            secret: string;
        };
        IdsIn: {
            ids: string[];
        };
        ImportOut: {
            id: string;
            job_id: string;
            status?: string;
            total: number;
        };
        IndexHit: {
            id: string;
            kind: string;
            url: string;
            memoryId?: string | null;
            memory?: string | null;
            chunkId?: string | null;
            chunk?: string | null;
            documentId?: string | null;
            occurredAt?: string | null;
            dueAt?: string | null;
            weak?: boolean;
            replacedBy?: components["schemas"]["ReplacedBy"] | null;
            title: string;
            snippet: string;
            category?: string | null;
            sourceUrl?: string | null;
            projectId: string;
            score: number;
            speaker?: string | null;
            createdAt: string;
        };
        IndexOut: {
            query: string;
            mode: string;
            policy?: components["schemas"]["PolicyOut"] | null;
            hits: components["schemas"]["IndexHit"][];
            total: number;
            tookMs: number;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        InstructionChange: {
            content: string;
        };
        InstructionIn: {
            content: string;
            project?: string | null;
            project_id?: string | null;
        };
        InstructionList: {
            instructions: components["schemas"]["InstructionOut"][];
            limit: number;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        InstructionOut: {
            id: string;
            content: string;
            project: string | null;
            project_id: string | null;
            created_at: string;
            updated_at: string;
        };
        ItemOut: {
            reference: string;
            path: string | null;
            document_id: string | null;
            problem: string | null;
            hidden: boolean;
        };
        ItemPage: {
            items: components["schemas"]["ItemOut"][];
            next_cursor: string | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        JobLine: {
            id: string;
            name: string;
            subject_id: string;
            status: string;
            attempts: number;
            error: string | null;
            created_at: string;
            finished_at: string | null;
        };
        JobList: {
            jobs: components["schemas"]["JobLine"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        JobOut: {
            id: string;
            name: string;
            status: string;
            stage: string;
            progress: number;
            document_id: string | null;
            attempts: number;
            error: string | null;
            created_at: string;
            finished_at: string | null;
            done?: number | null;
            total?: number | null;
            counts?: {
                [key: string]: {
                    [key: string]: number;
                };
            } | null;
            problems?: components["schemas"]["ProblemOut"][] | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        KeyIn: {
            name: string;
            scopes?: components["schemas"]["Right"][];
            organization_id?: string | null;
            expires_at?: string | null;
            expires_in_days?: number | null;
        };
        KeyLine: {
            id: string;
            name: string;
            prefix: string;
            scopes: string[];
            created_at: string;
            last_used_at: string | null;
            expires_at: string | null;
        };
        KeyList: {
            api_keys: components["schemas"]["KeyLine"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        KeyOut: {
            id: string;
            name: string;
            prefix: string;
            scopes: string[];
            created_at: string;
            last_used_at: string | null;
            expires_at: string | null;
            key: string;
        };
        LastFailureOut: {
            job: string;
            at: string | null;
            error: string | null;
        };
        LeftOutOut: {
            kind: string;
            reference: string;
            reason: string;
        };
        LifecycleIn: {
            state?: ("active" | "superseded" | "quarantined") | null;
            quality?: ("unknown" | "good" | "bad") | null;
            review?: ("accept" | "decline") | null;
        };
        LineOut: {
            document_id: string;
            title: string;
            project: string;
            number: number;
            text: string;
        };
        LinesOut: {
            lines: components["schemas"]["LineOut"][];
            is_complete: boolean;
        };
        LinkOut: {
            path: string;
            expires_at: string;
        };
        ListIn: {
            container?: string | null;
            status?: ("queued" | "extracting" | "chunking" | "embedding" | "indexing" | "done" | "failed") | null;
            content_type?: string[];
            tags?: string[];
            created_after?: string | null;
            created_before?: string | null;
            flags?: ("unread" | "favourite" | "archived")[];
            archived?: boolean;
            limit?: number;
            cursor?: string | null;
        };
        LoginIn: {
            email?: string | null;
            password?: string | null;
            api_key?: string | null;
            organization_id?: string | null;
        };
        McpOut: {
            url: string;
            transport?: string;
            toolsets: components["schemas"]["Toolset"][];
        };
        MemberIn: {
            email: string;
            role?: "owner" | "admin" | "member";
        };
        MemberList: {
            members: components["schemas"]["MemberOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        MemberOut: {
            user_id: string;
            email: string;
            name: string;
            role: string;
            created_at: string;
        };
        MemoryIn: {
            content: string;
            title?: string | null;
            source_url?: string | null;
            content_type?: ("text" | "markdown" | "html" | "pdf" | "image" | "audio" | "video" | "code" | "json" | "csv" | "docx" | "xlsx" | "pptx" | "epub" | "email" | "tweet" | "subtitles" | "note" | "url") | null;
            cleaned?: boolean;
            project_id?: string | null;
            project?: string | null;
            metadata?: {
                [key: string]: unknown;
            };
            tags?: string[];
            updates_memory_id?: string | null;
            forget_after?: string | null;
            index_only?: boolean;
            unread?: boolean;
        };
        MemoryOut: {
            id: string;
            title: string;
            summary: string | null;
            chunk_count: number;
            metadata: {
                [key: string]: unknown;
            };
            created_at: string;
            status: string;
            project_id: string;
            duplicate?: boolean;
            job_id?: string | null;
            added_tags?: string[];
            not_taken?: string[];
            made_mine?: boolean;
        };
        MentioningMemory: {
            id: string;
            content: string;
        };
        MergeIn: {
            ids: string[];
            content?: string | null;
        };
        MessageOut: {
            id: string;
            kind: "morning" | "test" | "code";
            day: string | null;
            status: "waiting" | "sending" | "sent" | "nothing" | "failed" | "unclear";
            attempts: number;
            reason: string | null;
            next_try_at: string | null;
            ended_at: string | null;
            created_at: string;
        };
        ModelOut: {
            use: "embedding" | "reader" | "language";
            model: string | null;
            local: boolean;
        };
        ModelTest: {
            use: "embedding" | "reader" | "language";
            model: string | null;
            local: boolean;
            works: boolean;
            latency_ms: number | null;
            error: string | null;
        };
        ModelTests: {
            models: components["schemas"]["ModelTest"][];
        };
        ModelsOut: {
            models: components["schemas"]["ModelOut"][];
        };
        NamedOut: {
            id: string;
            kind: "document" | "memory" | "chunk";
            url: string;
        };
        NeighbourOut: {
            id: string;
            title: string;
            summary: string | null;
            content_type: string;
            source_url: string | null;
            project_id: string;
            score: number;
            created_at: string;
        };
        Neighbours: {
            id: string;
            related: components["schemas"]["NeighbourOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        NewCalendarOut: {
            id: string;
            name: string;
            project: string | null;
            created_at: string;
            last_read_at: string | null;
            expires_at: string | null;
            url: string;
        };
        NewDeliveryOut: {
            id: string;
            channel: "mail" | "ntfy" | "webhook";
            address: string;
            at: string;
            time_zone: string;
            is_on: boolean;
            is_confirmed: boolean;
            next_at: string | null;
            expires_at: string | null;
            created_at: string;
            last: components["schemas"]["MessageOut"] | null;
            secret: string | null;
        };
        NodeChange: {
            content?: string;
            memory_type?: "fact" | "preference" | "decision" | "context" | "episode" | "insight" | "task" | "pattern" | "lesson" | "procedure" | "note";
            metadata?: {
                [key: string]: unknown;
            };
            tags?: string[];
            confidence?: number;
            expires_at?: string | null;
        };
        NodeOut: {
            id: string;
            container: string;
            document_id: string | null;
            content: string;
            memory_type: string;
            metadata: {
                [key: string]: unknown;
            };
            tags: string[];
            confidence: number;
            speaker: string | null;
            said_at: string | null;
            dates: components["schemas"]["DateOut"][];
            occurred_at: string | null;
            due_at: string | null;
            is_latest: boolean;
            replaced_by?: components["schemas"]["NodeReplacement"] | null;
            expires_at: string | null;
            created_at: string;
            updated_at: string;
        };
        NodeReplacement: {
            id: string;
            url: string;
            content: string;
            memory_type: string;
            since: string;
        };
        NoteIn: {
            note: string | null;
        };
        OrganizationIn: {
            name: string;
        };
        OrganizationList: {
            organizations: components["schemas"]["OrganizationOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        OrganizationOut: {
            id: string;
            name: string;
            slug: string;
            kind: string;
            role: string | null;
            created_at: string;
        };
        OutcomeOut: {
            id: string;
            ok: boolean;
            code: string | null;
            error: string | null;
        };
        PartOut: {
            name: string;
            status: "ok" | "degraded" | "off";
            says: string;
            details?: {
                [key: string]: unknown;
            } | null;
        };
        PartsOut: {
            vector: number;
            text: number;
            recency: number;
            evidence: {
                [key: string]: number;
            };
            relevance?: number | null;
            reader?: number;
        };
        PasswordChange: {
            current_password?: string | null;
            new_password: string;
            keep_grants?: boolean;
        };
        PastedOut: {
            content: string;
            said_at: string | null;
        };
        PastedProfileIn: {
            text: string;
        };
        PastedProfileOut: {
            statements: components["schemas"]["PastedOut"][];
        };
        PlanIn: {
            plan?: string | null;
            memory_limit?: number | null;
            suspended?: boolean | null;
        };
        PolicyIn: {
            project?: string | null;
            arm: ("fast_memories" | "balanced_memories" | "deep_memories" | "balanced_hybrid" | "deep_hybrid" | "balanced_vector" | "built_in") | null;
        };
        PolicyOut: {
            id: string;
            mode: string;
            documents: boolean;
            vector: boolean;
            source: "project" | "tenant" | "global" | "built_in";
            pinned: boolean;
            reason: {
                [key: string]: unknown;
            };
            decidedAt: string | null;
        };
        PollOut: {
            connection: components["schemas"]["ConnectionOut"] | null;
        };
        PreviewOut: {
            origin: string;
            counts: {
                [key: string]: number;
            };
            examples: components["schemas"]["ExampleOut"][];
            left_out: components["schemas"]["LeftOutOut"][];
            more: boolean;
        };
        Problem: {
            error: string;
            code: string;
            details?: unknown;
        };
        ProblemOut: {
            line: number;
            kind: string;
            id: string;
            problem: string;
        };
        ProfileItem: {
            id: string;
            content: string;
            memory_type: string;
            confidence: number;
            speaker: string | null;
            said_at: string | null;
            dates: components["schemas"]["DateOut"][];
            occurred_at: string | null;
            due_at: string | null;
            created_at: string;
            imported_from?: string | null;
        };
        ProfileOut: {
            container: string;
            standing_instructions: components["schemas"]["InstructionOut"][];
            static_facts: components["schemas"]["ProfileItem"][];
            recent_context: components["schemas"]["ProfileItem"][];
            relevant_memories: components["schemas"]["ProfileItem"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        ProfilePromptOut: {
            prompt: string;
        };
        ProjectChange: {
            name?: string | null;
            description?: string | null;
            pinned?: boolean | null;
            slug?: string | null;
        };
        ProjectIn: {
            name: string;
            description?: string | null;
            slug?: string | null;
        };
        ProjectList: {
            projects: components["schemas"]["ProjectOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        ProjectOut: {
            id: string;
            name: string;
            slug: string;
            description: string | null;
            parent: string | null;
            document_count: number;
            memory_count: number;
            is_default: boolean;
            pinned: boolean;
            archived_at: string | null;
            created_at: string;
            updated_at: string;
        };
        PromptIn: {
            prompt: string;
            project?: string | null;
            given?: string[];
        };
        PromptOut: {
            statements: components["schemas"]["PromptStatementOut"][];
        };
        PromptStatementOut: {
            id: string;
            kind: string;
            url: string;
            content: string;
            line: string;
            speaker: string | null;
            saidAt: string;
            project: string;
            title: string;
            relevance: number;
            words: string[];
        };
        ProviderOut: {
            id: string;
            description: string;
            model?: string | null;
            dimensions?: number | null;
        };
        ProviderStateOut: {
            name: string;
            status: "ok" | "degraded" | "off";
            state: string;
            says: string;
            retryInS?: number | null;
            reason?: string | null;
        };
        ProvidersOut: {
            providers: components["schemas"]["ProviderOut"][];
        };
        RecallIn: {
            query?: string;
            project_id?: string | null;
            project?: string | null;
            limit?: number;
            filters?: components["schemas"]["FiltersIn"];
            mode?: "fast" | "balanced" | "deep" | "best";
            asked_at?: string | null;
            max_tokens?: number | null;
            explain?: boolean;
            kinds?: ("document" | "memory")[] | null;
            weak?: boolean;
            variants?: boolean;
        };
        RecallOut: {
            results: components["schemas"]["ResultOut"][];
            total: number;
            query_time_ms: number;
            mode: "fast" | "balanced" | "deep" | "best";
            suggestion: string | null;
            model_unused?: string | null;
            context?: components["schemas"]["ContextOut"] | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        RegisterIn: {
            email: string;
            password: string;
            name?: string | null;
        };
        RelatedHit: {
            id: string;
            content: string;
            relationship: string;
        };
        RelatedList: {
            id: string;
            related: components["schemas"]["RelatedOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        RelatedOut: {
            id: string;
            content: string;
            memory_type: string;
            is_latest: boolean;
            relationship: string;
            direction: "out" | "in";
            confidence: number;
            depth: number;
        };
        RelationOut: {
            action: string;
            targetId: string;
            confidence: number;
            reasons: string[];
        };
        RelevantList: {
            found: number;
            memories: components["schemas"]["RelevantOut"][];
            modelUnused?: string | null;
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        RelevantOut: {
            id: string;
            kind: string;
            url: string;
            memoryId?: string | null;
            memory?: string | null;
            chunkId?: string | null;
            chunk?: string | null;
            documentId?: string | null;
            occurredAt?: string | null;
            dueAt?: string | null;
            weak?: boolean;
            replacedBy?: components["schemas"]["ReplacedBy"] | null;
            content: string;
            category: string;
            relevance: number;
            speaker: string | null;
            saidAt: string | null;
            dates: components["schemas"]["DateOut"][];
            created: string;
        };
        RemovedOut: {
            job_id: string | null;
        };
        ReplacedBy: {
            id: string;
            url: string;
            content: string;
            category: string;
            since: string;
        };
        ReplacementOut: {
            id: string;
            url: string;
            content: string;
            category: string;
            since: string;
        };
        ResourceList: {
            resources: components["schemas"]["ResourceOut"][];
            next_cursor: string | null;
        };
        ResourceOut: {
            reference: string;
            name: string;
            count: number | null;
            has_children: boolean;
        };
        RestoredOut: {
            id: string;
            status: string;
            memory: components["schemas"]["AgentMemory"];
        };
        ResultOut: {
            kind: "document" | "memory";
            id: string;
            url: string;
            document_id: string | null;
            title: string;
            summary: string | null;
            said_by?: string | null;
            score: number;
            weak?: boolean;
            source_url: string | null;
            content_type: string;
            category?: string | null;
            tags: string[];
            metadata: {
                [key: string]: unknown;
            };
            project_id: string;
            created_at: string;
            chunks: components["schemas"]["ChunkOut"][];
        };
        RetryOut: {
            id: string;
            status: string;
            job_id: string | null;
        };
        Right: "read" | "write" | "admin";
        RoleChange: {
            user_id: string;
            role: "owner" | "admin" | "member";
        };
        RunOut: {
            id: string;
            trigger: string;
            outcome: string | null;
            error: string | null;
            added: number;
            updated: number;
            deleted: number;
            unchanged: number;
            skipped: number;
            errors: {
                [key: string]: string;
            }[];
            started_at: string;
            ended_at: string | null;
        };
        SamplesOut: {
            present: boolean;
            project_id: string | null;
            documents: number;
            memories: number;
        };
        SavedOut: {
            id: string;
            status: string;
            superseded?: string | null;
            existingId?: string | null;
            relations: components["schemas"]["RelationOut"][];
            jobId?: string | null;
            addedTags?: string[];
            notTaken?: string[];
            memory: components["schemas"]["AgentMemory"];
        };
        SearchFilters: {
            memory_type?: ("fact" | "preference" | "decision" | "context" | "episode" | "insight" | "task" | "pattern" | "lesson" | "procedure" | "note")[];
            tags?: string[];
            created_after?: string | null;
            created_before?: string | null;
            metadata?: {
                [key: string]: unknown;
            };
        };
        SearchHit: {
            id: string;
            kind: "chunk" | "memory";
            url: string;
            content: string;
            memory_type: string;
            memory_id?: string | null;
            memory?: string | null;
            chunk_id?: string | null;
            chunk?: string | null;
            similarity: number;
            score: number;
            speaker?: string | null;
            said_at?: string | null;
            dates?: components["schemas"]["DateOut"][];
            occurred_at?: string | null;
            due_at?: string | null;
            weak?: boolean;
            replaced_by?: components["schemas"]["NodeReplacement"] | null;
            document_id: string | null;
            tags: string[];
            metadata?: {
                [key: string]: unknown;
            };
            created_at: string;
            related?: components["schemas"]["RelatedHit"][];
        };
        SearchIn: {
            query: string;
            container?: string | null;
            inherit?: boolean;
            limit?: number;
            offset?: number;
            include_related?: boolean;
            filters?: components["schemas"]["SearchFilters"];
            mode?: "fast" | "balanced" | "deep" | "best";
            kinds?: ("document" | "memory")[] | null;
            weak?: boolean;
        };
        SearchOut: {
            query: string;
            results: components["schemas"]["SearchHit"][];
            total: number;
            mode: "fast" | "balanced" | "deep" | "best";
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        ServerOut: {
            version: string;
            started_at: string;
            last_failure: components["schemas"]["LastFailureOut"] | null;
            backups: components["schemas"]["BackupsOut"];
        };
        SessionIn: {
            project?: string | null;
            projectId?: string | null;
            agent?: string | null;
            title?: string | null;
            key?: string | null;
            recorded?: boolean;
        };
        SessionLine: {
            id: string;
            organization_id: string;
            agent: string | null;
            current: boolean;
            created_at: string;
            last_used_at: string | null;
            expires_at: string;
        };
        SessionList: {
            sessions: components["schemas"]["SessionLine"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        SettleIn: {
            newerId: string;
            olderId: string;
            true: "newer" | "older" | "both" | "open";
        };
        SettledOut: {
            newer: components["schemas"]["AgentMemory"];
            older: components["schemas"]["AgentMemory"];
        };
        SignInOptions: {
            registration: boolean;
            link: boolean;
        };
        SignalIn: {
            type: "used" | "helpful" | "not_helpful";
            ids: string[];
            query?: string | null;
            project?: string | null;
            sessionId?: string | null;
        };
        SignalList: {
            signals: components["schemas"]["SignalOut"][];
            next_cursor: string | null;
        };
        SignalOut: {
            id: string;
            type: "used" | "helpful" | "not_helpful";
            ids: string[];
            projectId: string;
            sessionId: string | null;
            query: string | null;
            source: string;
            createdAt: string;
        };
        SignedIn: {
            user_id: string;
            email: string;
            name: string;
            organization_id: string;
            organization_name: string;
            csrf_token: string;
            expires_at: string;
        };
        StatementChange: {
            content?: string;
            title?: string | null;
            category?: "fact" | "preference" | "decision" | "context" | "episode" | "insight" | "task" | "pattern" | "lesson" | "procedure" | "note";
            project?: string | null;
            projectId?: string | null;
            tags?: string[];
            context?: {
                [key: string]: unknown;
            };
            confidence?: number;
            validFrom?: string | null;
            validUntil?: string | null;
            occurredAt?: string | null;
            dueAt?: string | null;
        };
        StatementIn: {
            content: string;
            title?: string | null;
            category?: ("fact" | "preference" | "decision" | "context" | "episode" | "insight" | "task" | "pattern" | "lesson" | "procedure" | "note") | null;
            project?: string | null;
            projectId?: string | null;
            tags?: string[];
            context?: {
                [key: string]: unknown;
            };
            confidence?: number | null;
            sessionId?: string | null;
            validFrom?: string | null;
            validUntil?: string | null;
            occurredAt?: string | null;
            dueAt?: string | null;
            speaker?: string | null;
            saidAt?: string | null;
            source?: string;
            defer?: boolean;
        };
        StatementOut: {
            id: string;
            url: string;
            content: string;
            category: string;
            occurred_at?: string | null;
            due_at?: string | null;
        };
        StatsOut: {
            total_documents: number;
            total_memories: number;
            total_projects: number;
            documents_this_week: number;
            memories_this_week: number;
            storage_bytes: number;
            embedding_coverage: number;
            documents_by_status: {
                [key: string]: number;
            };
            jobs_by_status: {
                [key: string]: number;
            };
            pictures_read: string;
            speech_read: string;
            vector_move: components["schemas"]["VectorMoveOut"] | null;
        };
        SubscriptionOut: {
            plan: string;
            memory_count: number;
            memory_limit: number | null;
        };
        SwitchIn: {
            on: boolean;
        };
        SwitchOut: {
            id: string;
            kind: string;
            on: boolean;
        };
        SyncOut: {
            job_id: string;
            run_id: string;
        };
        TagOut: {
            tag: string;
            documents: number;
            memories: number;
        };
        TagsOut: {
            tags: components["schemas"]["TagOut"][];
        };
        TenantCountsOut: {
            documents: number;
            chunks: number;
            storage_bytes: number;
            documents_this_week: number;
        };
        TenantOut: {
            id: string;
            kind: string;
            name: string;
            plan: string;
            memory_count: number;
            memory_limit: number | null;
            suspended_at: string | null;
            created_at: string;
        };
        TenantPage: {
            tenants: components["schemas"]["TenantOut"][];
        };
        TenantUsageOut: {
            id: string;
            kind: string;
            name: string;
            plan: string;
            memory_count: number;
            memory_limit: number | null;
            suspended_at: string | null;
            created_at: string;
            usage: components["schemas"]["TenantCountsOut"];
        };
        Toolset: {
            name: string;
            url: string;
        };
        TrashOut: {
            documents: components["schemas"]["DeletedDocumentOut"][];
            memories: components["schemas"]["DeletedMemoryOut"][];
            unreadable?: components["schemas"]["UnreadableItem"][];
        };
        TrialOut: {
            projectId: string;
            project: string;
            episodes: number;
            pulls: number;
            arm: string | null;
        };
        TurnIn: {
            role: "user" | "assistant" | "system" | "tool";
            content: string;
            recalled?: string[];
            used?: string[];
            at?: string | null;
        };
        UndoIn: {
            undo: string[];
        };
        UnreadableItem: {
            id: string;
            error: string;
            code?: "unreadable";
        };
        UpcomingOut: {
            due: components["schemas"]["EvolutionDueOut"][];
            nextRunAt: string;
            lastRunAt: string | null;
        };
        UsageOut: {
            reads: number;
            most_reads: number;
            usd: number;
            most_usd: number;
        };
        VectorMoveOut: {
            old_model: string;
            new_model: string;
            moved: number;
            total: number;
        };
        VectorProgressOut: {
            oldModel: string;
            newModel: string;
            moved: number;
            total: number;
        };
        VersionLine: {
            id: string;
            title: string;
            summary: string | null;
            version: number;
            is_latest: boolean;
            created_at: string;
        };
        WhoAmI: {
            user_id: string;
            email: string;
            name: string;
            name_given: boolean;
            organization_id: string;
            organization_name: string;
            role: string | null;
            scopes: string[];
        };
    };
    responses: {
        Problem4XX0: {
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        Problem5031: {
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    health_health_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            503: {
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    ready_health_ready_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            503: {
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    live_health_live_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    agent_card__well_known_agent_json_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    agent_card_agent_json_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    every_admin_tenants_get: {
        parameters: {
            query?: {
                after?: string | null;
                limit?: number;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TenantPage"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    one_admin_tenants__id__get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TenantUsageOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_admin_tenants__id__patch: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TenantOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    sign_up_v3_auth_register_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    log_in_v3_auth_login_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    options_v3_auth_options_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    callback_v3_connections__provider__callback_get: {
        parameters: {
            query?: {
                state?: string;
                code?: string | null;
                error?: string | null;
                iss?: string | null;
            };
            path: {
                provider: string;
            };
        };
        responses: {
            303: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    called_v3_webhooks__provider___hook__post: {
        parameters: {
            query?: never;
            path: {
                provider: string;
                hook: string;
            };
        };
        responses: {
            202: {
                content: {
                    "text/plain": string;
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_calendar__secret__get: {
        parameters: {
            query?: never;
            path: {
                secret: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/calendar": string;
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    save_v3_memory_post: {
        parameters: {
            query?: {
                async?: boolean;
            };
            header?: {
                "idempotency-key"?: string | null;
            };
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoryIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemoryOut"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["MemoryOut"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["MemoryOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    find_v3_recall_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecallIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecallOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    upload_v3_documents_upload_post: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string | null;
            };
            path?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["Body_upload_v3_documents_upload_post"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemoryOut"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["MemoryOut"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["MemoryOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    original_v3_documents__id__original_get: {
        parameters: {
            query?: {
                inline?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/octet-stream": string;
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    job_v3_jobs__id__get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    page_v3_documents_get: {
        parameters: {
            query?: {
                project?: string | null;
                content_type?: ("text" | "markdown" | "html" | "pdf" | "image" | "audio" | "video" | "code" | "json" | "csv" | "docx" | "xlsx" | "pptx" | "epub" | "email" | "tweet" | "subtitles" | "note")[] | null;
                tags?: string[] | null;
                status?: ("queued" | "extracting" | "chunking" | "embedding" | "indexing" | "done" | "failed") | null;
                created_after?: string | null;
                created_before?: string | null;
                title?: string | null;
                source_url?: string | null;
                is?: ("unread" | "favourite" | "archived")[] | null;
                archived?: boolean;
                sort?: "created" | "updated" | "title" | "size";
                order?: "asc" | "desc";
                limit?: number;
                cursor?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentPage"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_v3_documents__id__get: {
        parameters: {
            query?: {
                include_versions?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    delete_v3_documents__id__delete: {
        parameters: {
            query?: {
                undo?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_v3_documents__id__patch: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemoryOut"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["MemoryOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_v3_documents_bulk_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BulkOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    restore_v3_documents__id__restore_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemoryOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    lines_v3_lines_get: {
        parameters: {
            query: {
                text: string;
                project?: string | null;
                document_id?: string | null;
                any_case?: boolean;
                limit?: number;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LinesOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_v3_chunks__id__get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChunkPage"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    resolve_v3_ids__short__get: {
        parameters: {
            query?: {
                kind?: ("document" | "memory" | "chunk")[] | null;
            };
            path: {
                short: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["NamedOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    latest_v3_jobs_get: {
        parameters: {
            query?: {
                status?: ("pending" | "processing" | "completed" | "failed") | null;
                limit?: number;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    retry_v3_documents__id__retry_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["RetryOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    memory_graph_v3_memory_graph_get: {
        parameters: {
            query?: {
                project_id?: string | null;
                project?: string | null;
                kinds?: ("memory" | "entity" | "document" | "tag")[] | null;
                limit?: number;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GraphOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    related_v3_documents__id__related_get: {
        parameters: {
            query?: {
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Neighbours"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    stats_v3_stats_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StatsOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v3_projects_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    create_v3_projects_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ProjectOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_v3_projects__ref__get: {
        parameters: {
            query?: never;
            path: {
                ref: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    delete_v3_projects__ref__delete: {
        parameters: {
            query?: {
                recursive?: boolean;
            };
            path: {
                ref: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_v3_projects__ref__patch: {
        parameters: {
            query?: never;
            path: {
                ref: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    log_out_v3_auth_logout_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    who_am_i_v3_whoami_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_v3_account_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AccountOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    delete_v3_account_delete: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_v3_account_patch: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AccountOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_password_v3_account_password_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    by_day_v3_stats_daily_get: {
        parameters: {
            query?: {
                project?: string | null;
                days?: number;
                until?: string | null;
                timezone?: string;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DaysOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    by_tag_v3_tags_get: {
        parameters: {
            query?: {
                project?: string | null;
                limit?: number;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TagsOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    live_v3_live_get: {
        parameters: {
            query?: {
                seconds?: number;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "text/event-stream": string;
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v3_api_keys_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    create_v3_api_keys_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["KeyOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    revoke_v3_api_keys__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v3_auth_sessions_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    end_v3_auth_sessions__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    make_link_v3_auth_links_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["LinkOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v3_grants_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GrantList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    revoke_v3_grants__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v3_organizations_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OrganizationList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    create_v3_organizations_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["OrganizationOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    delete_v3_organizations__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_members_v3_organizations__id__members_get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    add_member_v3_organizations__id__members_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["MemberOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    remove_member_v3_organizations__id__members_delete: {
        parameters: {
            query: {
                user_id: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_role_v3_organizations__id__members_patch: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemberOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    give_out_v3_export_get: {
        parameters: {
            query?: {
                originals?: boolean;
                vectors?: boolean;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": string;
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    bring_in_v3_import_post: {
        parameters: {
            query?: {
                from?: string | null;
                project?: string | null;
                fetch?: boolean;
            };
            path?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "application/octet-stream": string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["ImportOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    preview_v3_import_preview_post: {
        parameters: {
            query?: {
                from?: string | null;
            };
            path?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "application/octet-stream": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PreviewOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_v3_samples_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SamplesOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    add_v3_samples_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["SamplesOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    remove_v3_samples_delete: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_v3_models_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelsOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    test_v3_models_test_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelTests"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    connectors_v3_connectors_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConnectorList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    check_before_v3_connectors__provider__check_post: {
        parameters: {
            query?: never;
            path: {
                provider: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CheckOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v3_connections_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConnectionList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    add_v3_connectors__provider__connect_post: {
        parameters: {
            query?: never;
            path: {
                provider: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConnectionOut"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["ConnectionOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_v3_connections__id__get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConnectionDetail"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    remove_v3_connections__id__delete: {
        parameters: {
            query?: {
                documents?: "keep" | "erase";
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RemovedOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_v3_connections__id__patch: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConnectionOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    sync_v3_connections__id__sync_post: {
        parameters: {
            query?: {
                full?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["SyncOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    items_v3_connections__id__items_get: {
        parameters: {
            query?: {
                problem?: boolean;
                limit?: number;
                cursor?: string | null;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ItemPage"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    resources_v3_connections__id__resources_get: {
        parameters: {
            query?: {
                under?: string | null;
                cursor?: string | null;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ResourceList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    check_v3_connections__id__check_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CheckOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    composers_v3_extension_composers_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ComposersOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    authorize_v3_connections__provider__authorize_post: {
        parameters: {
            query?: never;
            path: {
                provider: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsentIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConsentOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    begin_device_v3_connectors__provider__device_post: {
        parameters: {
            query?: never;
            path: {
                provider: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsentIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeviceOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    poll_device_v3_connections_sign_ins__id__poll_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PollOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    add_v3_connections__id__webhook_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["HookOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    server_v3_server_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ServerOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    trash_v3_trash_get: {
        parameters: {
            query?: {
                limit?: number;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TrashOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v3_instructions_get: {
        parameters: {
            query?: {
                project?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InstructionList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    pin_v3_instructions_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstructionIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InstructionOut"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["InstructionOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    unpin_v3_instructions__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_v3_instructions__id__patch: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstructionChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InstructionOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v3_calendars_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CalendarList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    create_v3_calendars_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["NewCalendarOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    revoke_v3_calendars__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v3_deliveries_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    create_v3_deliveries_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["NewDeliveryOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    delete_v3_deliveries__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_v3_deliveries__id__patch: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeliveryOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    confirm_v3_deliveries__id__confirm_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeliveryOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    test_v3_deliveries__id__test_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["MessageOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    log_v3_deliveries__id__log_get: {
        parameters: {
            query?: {
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeliveryLog"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v3_entities_get: {
        parameters: {
            query?: {
                query?: string | null;
                type?: ("person" | "organization" | "place" | "system" | "concept" | "technology" | "api" | "file" | "event") | null;
                project?: string | null;
                limit?: number;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    get_v3_entities__id__get: {
        parameters: {
            query?: {
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityWithMemories"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    rename_v3_entities__id__patch: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntityRenameIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityChanged"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    merge_v3_entities__id__merge_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntityMergeIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityChanged"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    split_v3_entities__id__split_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntitySplitIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["EntityChanged"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    changes_v3_entity_changes_get: {
        parameters: {
            query?: {
                limit?: number;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityChangeList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    undo_v3_entity_changes__id__undo_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntitiesUndone"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    prompt_v3_pasted_profile_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProfilePromptOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_v3_pasted_profile_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PastedProfileIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PastedProfileOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    of_document_v3_documents__id__highlights_get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HighlightsOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    add_v3_documents__id__highlights_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HighlightIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HighlightOut"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["HighlightOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    remove_v3_documents__id__highlights__highlight_id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
                highlight_id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_v3_documents__id__highlights__highlight_id__patch: {
        parameters: {
            query?: never;
            path: {
                id: string;
                highlight_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HighlightOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    page_v3_highlights_get: {
        parameters: {
            query?: {
                project?: string | null;
                tags?: string[] | null;
                limit?: number;
                cursor?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HighlightPage"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    show_v3_documents__id__copy_get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    keep_v3_documents__id__copy_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["Body_keep_v3_documents__id__copy_post"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemoryOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    overview_v3_checkup_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CheckUpOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    undo_v3_checkup_undo_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UndoIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FixOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    items_v3_checkup__finding__get: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
            };
            path: {
                finding: "duplicates" | "contradictions" | "lost_sources" | "never_recalled" | "without_vectors" | "capture_gaps" | "languages" | "secrets" | "backups";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FindingPageOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    fix_v3_checkup__finding__fix_post: {
        parameters: {
            query?: never;
            path: {
                finding: "duplicates" | "contradictions" | "lost_sources" | "never_recalled" | "without_vectors" | "capture_gaps" | "languages" | "secrets" | "backups";
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FixIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FixOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    save_v1_documents_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    upload_v1_documents_upload_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["Body_upload_v1_documents_upload_post"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_v1_documents__id__get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ContainerDocument"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    delete_v1_documents__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v1_documents_list_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DocumentList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    forget_v1_memories_forget_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgetIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ForgottenOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_v1_memories__id__get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["NodeOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    delete_v1_memories__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_v1_memories__id__patch: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NodeChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["NodeOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    related_v1_memories__id__related_get: {
        parameters: {
            query?: {
                depth?: number;
                relation?: ("updates" | "extends" | "derives" | "similar" | "related" | "supports" | "contradicts" | "supersedes" | "merged_into" | "mentions")[] | null;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RelatedList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    search_v1_search_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SearchOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    profile_v1_profile_get: {
        parameters: {
            query?: {
                container?: string | null;
                query?: string | null;
                personal?: boolean;
                format?: "json" | "markdown";
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProfileOut"];
                    "text/markdown": string;
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_v1_containers_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ContainerList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    delete_v1_containers__name__delete: {
        parameters: {
            query?: {
                recursive?: boolean;
            };
            path: {
                name: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    archive_v1_containers__name__archive_post: {
        parameters: {
            query?: never;
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ArchivedOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    stats_v1_stats_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CountsOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    timeline_api_memories_timeline_get: {
        parameters: {
            query?: {
                project?: string | null;
                category?: ("fact" | "preference" | "decision" | "context" | "episode" | "insight" | "task" | "pattern" | "lesson" | "procedure" | "note") | null;
                since?: string | null;
                until?: string | null;
                as_of?: string | null;
                limit?: number;
                cursor?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentMemoryPage"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    batch_get_api_memories_batch_get_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdsIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BatchOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    foresight_api_memories_foresight_active_get: {
        parameters: {
            query?: {
                project?: string | null;
                overdue?: boolean;
                since?: string | null;
                until?: string | null;
                limit?: number;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DueOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    providers_api_memories_providers_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProvidersOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    contradictions_api_memories_contradictions_get: {
        parameters: {
            query?: {
                project?: string | null;
                limit?: number;
                cursor?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ContradictionsOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    settle_pair_api_memories_contradictions_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SettledOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    search_api_memories_search_get: {
        parameters: {
            query: {
                query: string;
                limit?: number;
                category?: ("fact" | "preference" | "decision" | "context" | "episode" | "insight" | "task" | "pattern" | "lesson" | "procedure" | "note") | null;
                project?: string | null;
                documents?: boolean;
                weak?: boolean;
                variants?: boolean | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RelevantList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    search_index_api_memories_search_index_get: {
        parameters: {
            query: {
                query: string;
                mode?: ("fast" | "balanced" | "deep" | "best") | null;
                fusion?: "weighted" | "rrf";
                documents?: boolean | null;
                vector?: boolean | null;
                as_of?: string | null;
                category?: ("fact" | "preference" | "decision" | "context" | "episode" | "insight" | "task" | "pattern" | "lesson" | "procedure" | "note") | null;
                project?: string | null;
                tags?: string[] | null;
                since?: string | null;
                until?: string | null;
                limit?: number;
                weak?: boolean;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IndexOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_api_memories_get: {
        parameters: {
            query?: {
                q?: string | null;
                contains?: string | null;
                category?: ("fact" | "preference" | "decision" | "context" | "episode" | "insight" | "task" | "pattern" | "lesson" | "procedure" | "note") | null;
                project?: string | null;
                tags?: string[] | null;
                state?: "active" | "superseded" | "quarantined";
                since?: string | null;
                until?: string | null;
                as_of?: string | null;
                documents?: boolean;
                document_id?: string | null;
                session_id?: string | null;
                review?: ("pending" | "unsure") | null;
                limit?: number;
                cursor?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentMemoryPage"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    save_api_memories_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatementIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SavedOut"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["SavedOut"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["SavedOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_api_memories__id__get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentMemory"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    change_api_memories__id__put: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatementChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentMemory"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    delete_api_memories__id__delete: {
        parameters: {
            query?: {
                hard?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    merge_api_memories_merge_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentMemory"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    history_api_memories__id__history_get: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HistoryOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    lifecycle_api_memories__id__lifecycle_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LifecycleIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentMemory"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    feedback_api_memories__id__feedback_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentMemory"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    restore_api_memories__id__restore_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RestoredOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    derive_api_memories__id__derive_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DerivedOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_api_projects_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentProjectList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    create_api_projects_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentProjectIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AgentProject"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_api_sessions_get: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
                open?: boolean | null;
                limit?: number;
                cursor?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentSessionPage"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    start_api_sessions_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentSession"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["AgentSession"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    read_api_sessions__id__get: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentSessionDetail"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    delete_api_sessions__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    say_api_sessions__id__turns_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TurnIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AgentTurn"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    close_api_sessions__id__close_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentSession"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    ask_api_agent_ask_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AskOut"];
                    "text/event-stream": string;
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    help_with_prompt_api_prompt_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromptIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PromptOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    switch_api_prompt__id__put: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SwitchOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    diagnostics_api_agent_diagnostics_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DiagnosticsOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    jobs_api_evolve_jobs_get: {
        parameters: {
            query?: {
                type?: ("arena" | "embedding" | "derivation" | "consolidation" | "graph" | "learning_propagation") | null;
                status?: ("pending" | "running" | "completed" | "failed") | null;
                limit?: number;
                cursor?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EvolutionJobList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    request_api_evolve_jobs_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvolutionJobIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["EvolutionJobOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    upcoming_api_evolve_run_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UpcomingOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    run_api_evolve_run_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EvolutionRunOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    arena_api_evolve_arena_get: {
        parameters: {
            query?: {
                project?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ArenaOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    campaign_api_evolve_arena_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CampaignOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    policy_api_evolve_policy_get: {
        parameters: {
            query?: {
                project?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PolicyOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    pin_api_evolve_policy_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PolicyOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    signals_api_evolve_signals_get: {
        parameters: {
            query?: {
                project?: string | null;
                limit?: number;
                cursor?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignalList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    signal_api_evolve_signals_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignalIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["SignalOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    actions_api_evolve_actions_get: {
        parameters: {
            query?: {
                action?: ("merge" | "decay" | "promote" | "derive") | null;
                project?: string | null;
                limit?: number;
                cursor?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ActionList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    undo_api_evolve_actions__id__undo_post: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ActionOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_api_feeds_get: {
        parameters: {
            query?: {
                project?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FeedList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    add_api_feeds_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FeedOut"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["FeedOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    remove_api_feeds__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    collect_api_feeds_collect_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["CollectOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    list_all_api_api_keys_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentKeyList"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    create_api_api_keys_post: {
        parameters: {
            query?: never;
            path?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentKeyIn"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AgentKey"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    revoke_api_api_keys__id__delete: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        responses: {
            204: {
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    subscription_api_subscription_get: {
        parameters: {
            query?: never;
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SubscriptionOut"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
    events_api_events_get: {
        parameters: {
            query?: {
                subject?: string | null;
                type?: string | null;
                kind?: string | null;
                actor?: string | null;
                since?: string | null;
                until?: string | null;
                limit?: number;
                cursor?: string | null;
            };
            path?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            503: components["responses"]["Problem5031"];
            "4XX": components["responses"]["Problem4XX0"];
        };
    };
}
