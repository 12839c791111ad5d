import type { z } from 'zod';
import type { CrmName } from '#contract/contacts/rules';
import type { OutboundAnswer, OutboundRequest } from './outbound.ts';

/** A person as a CRM has them now. */
export interface CrmPerson {
  /** The CRM's ID of the record. */
  id: string;
  /** As they were typed there. */
  phones: readonly string[];
  /** First and last name. Empty: it has none. */
  name: string;
  companyName: string;
  /** Null: no one owns the record, or a group does. */
  owner: CrmOwner | null;
}
export interface CrmOwner {
  name: string;
  /** Null: they can't be found here. */
  email: string | null;
}

export interface CrmPage {
  state: 'read';
  people: readonly CrmPerson[];
  /** Where to go on, also after a restart. */
  cursor: string;
  /** Whether there is more to read now. */
  more: boolean;
}
/** `wait`: the CRM asked for time. `refused`: trying again soon changes nothing. */
export type CrmProblem =
  | { state: 'retry' | 'refused'; error: string }
  | { state: 'wait'; seconds: number; error: string };

/** Yields requests, is given their answers, and returns what they come to. Pure. */
export type CrmReading<T> = Generator<OutboundRequest, T | CrmProblem, OutboundAnswer>;

/** What of a CRM comes back. */
interface ComesBack {
  read_names: boolean;
  assign_owners: boolean;
}

/** Reads people back from connected accounts of a CRM. */
export interface CrmReader<Config extends ComesBack = ComesBack> {
  readonly provider: CrmName;
  /** The stored configuration of an account. */
  readonly config: z.ZodType<Config>;
  /** Who changed since, oldest first, some hundred at most. `cursor` null: everyone. */
  changed(config: Config, question: { cursor: string | null; now: Date }): CrmReading<CrmPage>;
  /** Records by their IDs, at most 100; those that were deleted, merged or converted are missing. */
  byIds(
    config: Config,
    ids: readonly string[],
  ): CrmReading<{ state: 'read'; people: readonly CrmPerson[] }>;
}
export type CrmReaders = ReadonlyMap<string, CrmReader>;
