import { companySettingsOf } from '#contract/settings/rules';
import type { NumberSummary } from '../numbers/index.ts';
import type { NumberConfig } from './engine/index.ts';
import type { GreetingLibrary } from './greetings/rules.ts';

/** States whose law wants everyone on the line to know that a call is recorded. */
const allPartyStates = new Set([
  'CA',
  'CT',
  'DE',
  'FL',
  'IL',
  'MD',
  'MA',
  'MI',
  'MT',
  'NH',
  'NV',
  'OR',
  'PA',
  'VT',
  'WA',
]);

/** Whether the notice is played whatever the number says. */
const mustAnnounce = (settings: unknown, state: string | null): boolean =>
  state !== null &&
  allPartyStates.has(state) &&
  companySettingsOf(settings).two_party_consent_states_force_announcement;

/**
 * What is played before a recorded call: nothing, a greeting, or spoken text; `default` = the
 * company's default notice, else ours. `partyState`: the US state of the other party's number,
 * whose law may require the notice; null: unknown.
 */
export function announcementOf(
  number: NumberSummary,
  library: GreetingLibrary,
  { settings, partyState }: { settings: unknown; partyState: string | null },
): NumberConfig['recordingAnnouncement'] {
  const usual = library.defaultOf('recording_notice') ?? 'default';
  const said = number.recording_announcement;
  if (said === 'none') return mustAnnounce(settings, partyState) ? usual : 'none';
  return (
    library.byId(number.greetings.recording_announcement) ??
    (said === 'default' ? usual : [{ kind: 'say', text: said }])
  );
}
