import type { AnyEndpoint, EventKind } from './kit.ts';
import type { AnyOperation, Shape } from './operation.ts';
import { contracts } from './generated/contracts.ts';

export { contracts };

/** An endpoint with its operation and its module; the server dispatches requests by this list. */
export type DescribedEndpoint = AnyEndpoint & AnyOperation & { readonly module: string };
/** An event with the schema of its data. */
type DescribedEvent = EventKind & { readonly data: Shape };

/**
 * A module as plain records: comparing the types of all endpoints with one another takes the
 * compiler minutes.
 */
interface Subject {
  operations?: Record<string, AnyOperation>;
  payloads?: Record<string, Shape>;
  [name: string]: unknown;
}
const subjects: [name: string, subject: Subject][] = Object.entries(
  contracts as Record<string, object>,
).map(([name, subject]) => [name, subject as Subject]);

/** Every endpoint with its operation. Throws at start when an operation has no endpoint. */
export const endpoints: readonly DescribedEndpoint[] = subjects.flatMap(([module, subject]) =>
  Object.entries(subject.operations ?? {}).map(([name, operation]) => {
    const endpoint = subject[name] as AnyEndpoint | undefined;
    if (!endpoint) throw new Error(`${module}.operations.${name} has no endpoint`);
    return { ...operation, ...endpoint, module };
  }),
);
/** Every event with the schema of its data. Throws at start when a schema has no event. */
export const events: readonly DescribedEvent[] = subjects.flatMap(([module, subject]) =>
  Object.entries(subject.payloads ?? {}).map(([name, data]) => {
    const event = subject[name] as EventKind | undefined;
    if (!event) throw new Error(`${module}.payloads.${name} has no event`);
    return { ...event, data };
  }),
);
export const endpointByName = new Map(endpoints.map((e) => [e.name, e]));
