import {
  IconAddressBook,
  IconHash,
  IconPhone,
  IconUser,
  IconUsersGroup,
} from '@tabler/icons-react';
import { keypadDigits, live, type calls, normalizePhone, type Answer } from '#contract';
import { foldedIncludes } from '#contract/fold';
import { formatPhoneNumber, t } from '#ui';
import { pauseText } from './pause-text.ts';

/** People who can take a call now come first. */
const statusOrder = ['active', 'on_call', 'away', 'offline'] as const;
type Destinations = Answer<typeof live.callDestinations>['data'];
type PersonStatus = (typeof statusOrder)[number];

/** A destination of a running call. */
export interface TransferChoice {
  key: string;
  /** Heading it is listed under. */
  group: string;
  label: string;
  detail: string;
  status?: PersonStatus;
  /** Why they take no calls now; absent or null: nothing keeps them from it. */
  pause?: calls.Pause | null;
  icon: typeof IconUser;
  /** No one of a team can take the call. */
  isEmpty?: boolean;
  body: {
    user_id?: number;
    number?: string;
    forward_contact_id?: number;
    route_id?: number;
    team_id?: number;
  };
}

/** Why a call can't go there now; null when it can. A teammate on a call is offered it as a waiting call. */
export function transferBlockReason(choice: TransferChoice): string | null {
  const { status, pause, label, isEmpty } = choice;
  if (isEmpty)
    return t('No one in {team} can take the call. Choose someone who can.', { team: label });
  if (status === 'offline')
    return t('{name} is offline. Choose someone who can take the call.', { name: label });
  if (pause)
    return t('{name} isn’t taking calls: {why}. Choose someone who can.', {
      name: label,
      why: pauseText(pause),
    });
  if (status === 'away')
    return t('{name} isn’t taking calls. Choose someone who can.', { name: label });
  return null;
}

/** An extension or a team has no one to ask first. */
export const canAskFirst = ({ body }: TransferChoice): boolean =>
  body.route_id === undefined && body.team_id === undefined;

/** A phone number that was typed out, as a choice. */
function typedNumber(search: string): TransferChoice[] {
  const number =
    search.replace(/\D/g, '').length >= 7 ? normalizePhone(keypadDigits(search)) : null;
  if (!number) return [];
  return [
    {
      key: 'typed',
      group: t('Number'),
      label: formatPhoneNumber(number),
      detail: '',
      icon: IconPhone,
      body: { number },
    },
  ];
}

/**
 * What matches the search: a typed number, teammates by availability, teams and extensions (only for transfers),
 * forwarding numbers. `found` is undefined while it loads.
 */
export function transferChoices(
  found: Destinations | undefined,
  search: string,
  isTransfer: boolean,
): TransferChoice[] {
  const matches = (...texts: string[]): boolean =>
    texts.some((text) => foldedIncludes(text, search));
  const people = (found?.people ?? [])
    .filter((person) => matches(person.name))
    .toSorted((a, b) => statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status));
  const teams = (isTransfer ? (found?.teams ?? []) : []).filter((team) => matches(team.name));
  const extensions = (isTransfer ? (found?.extensions ?? []) : []).filter((one) =>
    matches(one.label, String(one.extension)),
  );
  const contacts = (found?.contacts ?? []).filter((one) => matches(one.name, one.number));
  return [
    ...typedNumber(search.trim().toLowerCase()),
    ...people.map((person) => ({
      key: `u${person.user_id}`,
      group: t('Teammates'),
      label: person.name,
      detail: '',
      status: person.status,
      pause: person.pause,
      icon: IconUser,
      body: { user_id: person.user_id },
    })),
    ...teams.map((team) => ({
      key: `t${team.team_id}`,
      group: t('Teams'),
      label: team.name,
      detail: t('{n, plural, one {# person} other {# people}} can take it', { n: team.ready }),
      isEmpty: team.ready === 0,
      icon: IconUsersGroup,
      body: { team_id: team.team_id },
    })),
    ...extensions.map((one) => ({
      key: `r${one.route_id}`,
      group: t('Extensions on this number'),
      label: one.label,
      detail: t('Extension {n}', { n: one.extension }),
      icon: IconHash,
      body: { route_id: one.route_id },
    })),
    ...contacts.map((one) => ({
      key: `c${one.forward_contact_id}`,
      group: t('Forwarding numbers'),
      label: one.name,
      detail: one.number.startsWith('+') ? formatPhoneNumber(one.number) : one.number,
      icon: IconAddressBook,
      body: { forward_contact_id: one.forward_contact_id },
    })),
  ];
}

/**
 * What is chosen before anyone chooses: someone available, or the first match of a search that can
 * take the call. Undefined: neither.
 */
export const preselected = (
  choices: readonly TransferChoice[],
  search: string,
): TransferChoice | undefined =>
  choices.find((choice) => choice.status === 'active') ??
  (search ? choices.find((choice) => transferBlockReason(choice) === null) : undefined);
