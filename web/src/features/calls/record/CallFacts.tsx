import { calls } from '#contract';
import { isNumber, partyKind } from '#contract/party';
import { api, Facts, formatDuration, formatPhoneNumber, PhoneNumber, Section, t } from '#ui';
import { declaredScreens } from '../../../shared/declared-screens.ts';
import { CallerIdentity } from './CallerIdentity.tsx';
import type { Identity } from './caller-identity-labels.ts';

type Call = calls.Call;

/** Everything known about a call besides what was said: people, numbers and durations. */
export function CallFacts({ call, party }: { call: Call; party: CallParty }) {
  const isRunning = call.ended_at === null;
  const lookUp = async (): Promise<Identity> =>
    (await api(calls.lookUpCaller, { params: { id: call.id } }, { silent: true })).data;
  return (
    <Section title={t('About')}>
      <Facts
        rows={[
          [
            call.outbound ? t('To') : t('From'),
            party.isWithheld ? (
              t('Withheld number')
            ) : (
              <PhoneNumber key="party" value={party.number} copy />
            ),
          ],
          [
            t('Your number'),
            <ScreenLink key="number" path="/numbers/$id" id={call.number.id}>
              {call.number.label || formatPhoneNumber(call.number.number)}
            </ScreenLink>,
          ],
          call.contact !== null && [
            t('Contact'),
            <ScreenLink key="contact" path="/contacts/$id" id={call.contact.id}>
              {call.contact.name || formatPhoneNumber(party.number)}
            </ScreenLink>,
          ],
          call.caller_name !== null && [t('Caller name'), call.caller_name],
          Boolean(call.extension_label) && [t('Extension'), call.extension_label],
          call.answered_by !== null && [t('Answered by'), call.answered_by.label],
          [t('Rang'), formatDuration(call.ring_seconds)],
          [t('Talked'), formatDuration(call.talk_seconds)],
          [t('Total'), isRunning ? t('in progress') : formatDuration(call.duration)],
          [t('First contact'), call.first_contact ? t('Yes') : t('No')],
        ]}
      />
      {party.isNumber && (
        <CallerIdentity known={call.enhanced_caller_id as Identity | null} ask={lookUp} />
      )}
    </Section>
  );
}

/** The other side of a call. */
export interface CallParty {
  /** E.164, or what the carrier sent for a withheld number. */
  number: string;
  isWithheld: boolean;
  /** Whether it can be called back and looked up: neither withheld nor a short code. */
  isNumber: boolean;
  /** Contact name, else the number as people read it. */
  name: string;
}
export function callParty(call: Call): CallParty {
  const number = call.outbound ? call.to : call.from;
  const isWithheld = partyKind(number) === 'withheld';
  const numberText = isWithheld ? t('Withheld number') : formatPhoneNumber(number);
  return { number, isWithheld, isNumber: isNumber(number), name: call.contact?.name || numberText };
}

/** A link to a screen of another feature, plain text where this installation doesn't have that screen. */
function ScreenLink({
  path,
  id,
  children,
}: {
  path: string;
  id: number;
  children: React.ReactNode;
}): React.ReactNode {
  if (!declaredScreens().some((screen) => screen.path === path)) return children;
  return <a href={path.replace('$id', String(id))}>{children}</a>;
}
