import { pino, type Logger } from 'pino';
import { withoutPersonalData } from './log-privacy.ts';

export type Log = Logger;

/**
 * Structured logs, one JSON object a line, without secrets and personal data: errors lose what they
 * happened with, and the finished line what is somebody's (`log-privacy.ts`).
 */
export const createLogger = (level: string, role: string): Log =>
  pino({
    level,
    base: { role },
    serializers: { err: (error: unknown) => errorFacts(error) },
    hooks: {
      streamWrite: withoutPersonalData,
      // Without a message of its own, a line would get the error's as it is.
      logMethod(given, method) {
        const [first, message] = given as unknown[];
        const error = first instanceof Error ? first : (first as { err?: unknown } | null)?.err;
        if (message === undefined && error instanceof Error)
          method.apply(this, [
            first instanceof Error ? { err: first } : (first as object),
            safeMessage(error),
          ]);
        else method.apply(this, given);
      },
    },
  });

/** What helps to find a fault; other properties of an error can hold what it was about, such as a row. */
const keptFacts = [
  ...['code', 'errno', 'syscall', 'status', 'statusCode', 'responseCode', 'command'],
  ...['severity', 'schema', 'table', 'column', 'constraint', 'routine', 'reason', 'problem'],
] as const;

/** An error as it is logged: what and where, without the data it happened with. */
function errorFacts(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const facts = error as unknown as Record<string, unknown>;
  const message = safeMessage(error);
  return {
    type: error.constructor.name,
    message,
    // The stack begins with the message.
    ...(error.stack && { stack: error.stack.replace(error.message, () => message) }),
    ...Object.fromEntries(
      keptFacts.flatMap((key) =>
        ['string', 'number'].includes(typeof facts[key]) ? [[key, facts[key]]] : [],
      ),
    ),
    ...(error.cause instanceof Error && depth < 3
      ? { cause: errorFacts(error.cause, depth + 1) }
      : {}),
  };
}

/** PostgreSQL's classes of errors about values: 22 data exceptions, 23 constraints. */
const aboutValues = /^(22|23)/;

/** JSON.parse, PostgreSQL and schemas quote the value they refuse, which is somebody's. */
function safeMessage(error: Error): string {
  const { name, message } = error;
  const { code } = error as { code?: unknown };
  const quotesValue =
    name === 'SyntaxError' ||
    name === 'ZodError' ||
    (typeof code === 'string' && code.length === 5 && aboutValues.test(code));
  // Names of constraints and columns are quoted as well, and help.
  return quotesValue
    ? message.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) =>
        name !== 'SyntaxError' && /^"[a-z_]+(_key|_idx|_pkey|_check|_fkey)"$/.test(quoted)
          ? quoted
          : '"…"',
      )
    : message;
}
