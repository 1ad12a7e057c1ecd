import type { ErrorCode, WarrenError } from '#src/contracts/errors.ts';

/** MLflow's codes, as far as they are used here, with their HTTP status. */
const STATUS = {
  INVALID_PARAMETER_VALUE: 400,
  RESOURCE_ALREADY_EXISTS: 400,
  REQUEST_LIMIT_EXCEEDED: 413,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  RESOURCE_DOES_NOT_EXIST: 404,
  ENDPOINT_NOT_FOUND: 404,
  INVALID_STATE: 500,
  INTERNAL_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  TEMPORARILY_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;
type MlflowCode = keyof typeof STATUS;

const CODES: Readonly<Partial<Record<ErrorCode, MlflowCode>>> = {
  BAD_INPUT: 'INVALID_PARAMETER_VALUE',
  NOT_FOUND: 'RESOURCE_DOES_NOT_EXIST',
  CONFLICT: 'INVALID_STATE',
  UNAUTHENTICATED: 'UNAUTHENTICATED',
  FORBIDDEN: 'PERMISSION_DENIED',
  TOO_LARGE: 'REQUEST_LIMIT_EXCEEDED',
  OVER_QUOTA: 'REQUEST_LIMIT_EXCEEDED',
  NO_ROOM: 'TEMPORARILY_UNAVAILABLE',
  UNAVAILABLE: 'TEMPORARILY_UNAVAILABLE',
  TIMED_OUT: 'DEADLINE_EXCEEDED',
};

export interface MlflowFailure {
  status: number;
  body: { error_code: MlflowCode; message: string };
}

/** An answer that says what failed, in MLflow's way. */
export function mlflowFailure(code: MlflowCode, message: string): MlflowFailure {
  return { status: STATUS[code], body: { error_code: code, message } };
}

/** What went wrong, in MLflow's codes. A conflict over a name is that the name exists. */
export function failureOf(error: WarrenError): MlflowFailure {
  const taken = error.code === 'CONFLICT' && error.path === 'name';
  return mlflowFailure(taken ? 'RESOURCE_ALREADY_EXISTS' : (CODES[error.code] ?? 'INTERNAL_ERROR'), error.message);
}
