import { refusals, refusalText, sentences, type RefusalCode } from '#contract';

/** A refusal travels untouched from the rule to the screen: stable code, status, sentence, facts. */
export class Refusal extends Error {
  readonly status: number;
  constructor(readonly code: RefusalCode | 'invalid', readonly facts: Readonly<Record<string, string | number>> = {}, readonly errors?: Record<string, string[]>, readonly more: Record<string, unknown> = {}, readonly problems?: readonly { code: string; title: string; detail: string }[]) {
    super(code === 'invalid' ? sentences.invalidData : refusalText(code, facts));
    this.status = code === 'invalid' ? 422 : refusals[code].status;
  }
}

/** Stop here and answer with this refusal. `more` is merged into the error's `data`. */
export function refuse(code: RefusalCode, facts: Readonly<Record<string, string | number>> = {}, more: Record<string, unknown> = {}): never {
  throw new Refusal(code, facts, undefined, more);
}
/** Refuse for several reasons at once, each with what to do about it (`title`, `detail`). */
export function refuseAll(code: RefusalCode, problems: readonly { code: string; title: string; detail: string; [more: string]: unknown }[]): never {
  throw new Refusal(code, {}, undefined, {}, problems);
}
/** A 422 at one or more fields. */
export function invalid(errors: Record<string, string | string[]>): never {
  throw new Refusal('invalid', {}, Object.fromEntries(Object.entries(errors).map(([k, v]) => [k, Array.isArray(v) ? v : [v]])));
}
/** The object named is not there, or not the caller's: the two answers are equal, so existence is not revealed. */
export function missing(): never { throw new Refusal('not_found'); }

/** The answer's body (A1 and RFC 9457 members together). */
export function problem(error: Refusal, requestId: string) {
  const validation = error.code === 'invalid' && error.errors;
  return {
    message: error.message,
    errors: validation ? error.errors : error.problems ?? [{ code: error.code, title: error.message, detail: error.message, ...error.more }],
    type: `about:blank#${error.code}`, title: error.message, status: error.status,
    detail: validation ? Object.values(error.errors ?? {}).flat().join(' ') : error.message,
    code: error.code, request_id: requestId,
  };
}
