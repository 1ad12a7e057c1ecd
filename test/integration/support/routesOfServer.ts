import express, { type Express } from 'express';
import { z } from 'zod';
import { invariant } from '#src/base/lib/invariant.ts';

type Handler = { stack?: unknown };

/** Writes down what an Express application that is made from now on is asked to serve. Call `stop` once it is made. */
export function watchRoutes(): { routes(): string[]; stop(): void } {
  const { use } = express.application;
  const mounts = new Map<Express, Map<string, Handler[]>>();
  express.application.use = function watched(this: Express, ...given: unknown[]) {
    const [path, ...handlers] = given;
    if (typeof path === 'string') {
      const own = mounts.get(this) ?? new Map<string, Handler[]>();
      const last = handlers.at(-1);
      own.set(path, typeof last === 'function' ? [last as Handler] : []);
      mounts.set(this, own);
    } else if (!mounts.has(this)) mounts.set(this, new Map());
    return Reflect.apply(use, this, given);
  } as typeof use;
  return {
    stop: () => {
      express.application.use = use;
    },
    routes: () => {
      const [[app, own] = []] = [...mounts];
      invariant(app !== undefined && own !== undefined && mounts.size === 1, 'one application was made');
      const stack: readonly unknown[] = app.router.stack;
      return [
        ...stack.flatMap((layer) => namesOf(layer, '')),
        ...[...own].flatMap(([path, handlers]) => [
          path,
          ...handlers.flatMap(layersOf).flatMap((layer) => namesOf(layer, ` ${path}`)),
        ]),
      ];
    },
  };
}

/** Method and path of a layer that is a route, and of those of a router in it, such as `PUT /code /`. */
function namesOf(layer: unknown, before: string): string[] {
  const { route, handle } = layerSchema.parse(layer);
  if (route !== undefined) {
    return Object.keys(route.methods).map((method) => `${method.toUpperCase()}${before} ${String(route.path)}`);
  }
  return before === '' ? [] : layersOf(handle).flatMap((inner) => namesOf(inner, before));
}

const layerSchema = z.object({
  route: z
    .object({ path: z.union([z.string(), z.instanceof(RegExp)]), methods: z.record(z.string(), z.boolean()) })
    .optional(),
  handle: z.custom<Handler>((value) => typeof value === 'function'),
});

/** Those of a router; other handlers have none. */
function layersOf({ stack }: Handler): readonly unknown[] {
  return Array.isArray(stack) ? stack : [];
}
