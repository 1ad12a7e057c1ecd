/** The newest version of MLflow whose protocol is checked against its own server. */
export const MLFLOW_VERSION = '3.17.2';

/** What clients ask before they choose how to send and fetch files, and whether there are workspaces. */
export const SERVER_INFO = {
  store_type: null,
  workspaces_enabled: false,
  trace_archival_enabled: false,
  // a file goes in one request unless the client is told otherwise: its bytes are then written once
  multipart_uploads_enabled: false,
  multipart_downloads_enabled: false,
  presigned_upload_run_id_supported: false,
  presigned_upload_model_id_supported: false,
  features_enabled: { gateway: false },
} as const;
