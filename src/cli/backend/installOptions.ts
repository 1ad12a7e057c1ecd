/** What `warren backend install` is told beside the name. */
export interface InstallOptions {
  /** A library that is there: a file for OpenBLAS, a folder for TensorFlow. */
  from?: string;
  pip?: boolean;
  cpu?: boolean;
  json?: boolean;
}
