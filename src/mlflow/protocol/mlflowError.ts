import type { ErrorCode, WarrenError } from '#src/base/contracts/errors.ts';

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

/** What newer clients sort errors by, as MLflow's server derives it from the code. */
const CLASSES: Readonly<Partial<Record<MlflowCode, { sqlstate: string; error_class: string }>>> = {
  INVALID_PARAMETER_VALUE: { sqlstate: 'KAM00', error_class: 'INVALID_PARAMETER_VALUE' },
  RESOURCE_ALREADY_EXISTS: { sqlstate: 'KAM00', error_class: 'RESOURCE_ALREADY_EXISTS' },
  PERMISSION_DENIED: { sqlstate: 'KAM00', error_class: 'PERMISSION_DENIED' },
  RESOURCE_DOES_NOT_EXIST: { sqlstate: 'KAM00', error_class: 'RESOURCE_NOT_FOUND' },
  ENDPOINT_NOT_FOUND: { sqlstate: 'KAM00', error_class: 'RESOURCE_NOT_FOUND' },
  INVALID_STATE: { sqlstate: 'XXM00', error_class: 'CLIENT_INTERNAL_ERROR' },
  INTERNAL_ERROR: { sqlstate: 'XXM00', error_class: 'CLIENT_INTERNAL_ERROR' },
  TEMPORARILY_UNAVAILABLE: { sqlstate: 'XXM00', error_class: 'CLIENT_INTERNAL_ERROR' },
};

export interface MlflowFailure {
  status: number;
  body: { error_code: MlflowCode; message: string; sqlstate?: string; error_class?: string };
}

/** An answer that says what failed, in MLflow's way. */
export function mlflowFailure(code: MlflowCode, message: string): MlflowFailure {
  return { status: STATUS[code], body: { error_code: code, message, ...CLASSES[code] } };
}

/** What went wrong, in MLflow's codes. A conflict over a name is that the name exists. */
export function failureOf(error: WarrenError): MlflowFailure {
  const taken = error.code === 'CONFLICT' && error.path === 'name';
  return mlflowFailure(taken ? 'RESOURCE_ALREADY_EXISTS' : (CODES[error.code] ?? 'INTERNAL_ERROR'), error.message);
}
