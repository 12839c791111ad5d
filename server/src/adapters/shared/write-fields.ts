import type { Step } from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';

type Fields = Readonly<Record<string, string>>;

/** Writes fields of a CRM, and once more without those that it refuses. */
export function* writeFields(
  label: string,
  fields: Fields,
  request: (fields: Fields) => OutboundRequest,
  refusedFields: (answer: OutboundAnswer) => string[],
): Generator<Step, { answer: OutboundAnswer; warning: string | undefined }, OutboundAnswer> {
  const answer = yield { request: request(fields) };
  const refused = refusedFields(answer).filter((name) => name in fields);
  if (refused.length === 0) return { answer, warning: undefined };
  const rest = Object.entries(fields).filter(([name]) => !refused.includes(name));
  return {
    answer: yield { request: request(Object.fromEntries(rest)) },
    warning: `${label} didn’t take ${refused.join(', ')}. Check the fields.`,
  };
}
