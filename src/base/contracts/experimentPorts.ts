import type { LogLevel } from './reports.ts';

/** The smallest ports that an experiment needs to tell what it finds. Calls never block; order is kept. */
export interface Reporter {
  /** One point of the series `name` (lower-case path) at `step` (0 to 2⁵³). */
  metric(name: string, step: number, value: number): void;
  log(level: LogLevel, text: string): void;
  /** `fraction` from 0 to 1. */
  progress(fraction: number, message: string): void;
  /** Leaves a file named by a relative path; the bytes are copied before the call returns. */
  artifact(name: string, bytes: Uint8Array, mediaType: string): void;
  /** Replaces the run's checkpoint; a new attempt gets it back and its metrics after `step` are removed. */
  checkpoint(step: number, bytes: Uint8Array): void;
  /**
   * Keeps at hand what becomes the run's checkpoint should its sweep stop it early; the next one replaces it. There only where
   * a sweep may do that.
   */
  readonly holdCheckpoint?: ((step: number, bytes: Uint8Array) => void) | undefined;
  /** Seconds that a phase took, summed over calls with the same name (`load`, `compute`, `evaluate`). */
  timing(phase: string, seconds: number): void;
  /** Facts worth keeping beside the results, such as the share of boundary ties. */
  note(name: string, value: unknown): void;
}

/** Set from outside the thread; loops ask it at least every 100 ms. */
export interface Cancellation {
  readonly cancelled: boolean;
  /** Throws a `WarrenError` with code CANCELLED when set. */
  throwIfCancelled(): void;
}

/** Where a run stood when its last attempt ended. */
export interface RunCheckpoint {
  step: number;
  bytes: Uint8Array;
}
