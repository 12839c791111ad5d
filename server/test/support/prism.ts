import { createRequire } from 'node:module';

/**
 * Prism's own types pull half of fp-ts and JSON Schema into every type check; we use three lines of
 * it.
 */
const load = createRequire(import.meta.url);
const { createServer } = load('@stoplight/prism-http-server') as {
  createServer(
    operations: unknown,
    options: object,
  ): { listen(port: number, host: string): Promise<string>; close(): Promise<void> };
};
const { getHttpOperationsFromSpec } = load('@stoplight/prism-http/dist/utils/operations.js') as {
  getHttpOperationsFromSpec(document: object): Promise<unknown>;
};

const ignore = () => {};
const silentLogger: Record<string, unknown> = {
  ...Object.fromEntries(
    ['trace', 'debug', 'info', 'start', 'success', 'warn', 'error', 'fatal'].map((level) => [
      level,
      ignore,
    ]),
  ),
  level: 'silent',
  child: () => silentLogger,
};

/** For tests: enforces a vendor's OpenAPI document, and answers with its examples. */
export async function startPrism(
  document: object,
): Promise<{ url: string; close: () => Promise<void> }> {
  const prism = createServer(await getHttpOperationsFromSpec(document), {
    components: { logger: silentLogger },
    cors: false,
    config: {
      isProxy: false,
      validateRequest: true,
      validateResponse: false,
      checkSecurity: true,
      errors: false,
      upstreamProxy: undefined,
      mock: { dynamic: false },
    },
  });
  return { url: await prism.listen(0, '127.0.0.1'), close: () => prism.close() };
}
