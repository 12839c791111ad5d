import { currentTrace } from './tracing/spans.ts';

/** Whose rows a transaction may see; row-level security reads it. */
export interface TenantScope {
  companyId?: number | null;
  userId?: number | null;
}

const integerText = (n: number | null | undefined): string => (n ? String(Math.trunc(n)) : '');
/** What a connection is set to before work in a scope. Both ids are integers, so nothing can be injected. */
export const setScopeSql = (
  { companyId, userId }: TenantScope,
  limitMs: number | null,
  isLocal: boolean,
): string =>
  `select set_config('app.company_id','${integerText(companyId)}',${isLocal}),
    set_config('app.user_id','${integerText(userId)}',${isLocal}),
    set_config('statement_timeout','${limitMs ?? 0}',${isLocal})`;

/** What is published in the transaction keeps its trace (356_trace_of_events.sql). It is hexadecimal. */
export function setTraceSql(): string {
  const trace = currentTrace();
  return trace === null ? '' : `; select set_config('app.trace','${trace}',true)`;
}
