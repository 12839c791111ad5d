import type { Call } from './call.ts';
import type { Registration } from './registrar.ts';
import type { PhoneUser, SipOptions } from './sip-options.ts';

/** Lets the phone hold and transfer this call as far as the product supports it. */
export function attachActions(
  call: Call,
  { person, device }: Registration,
  { hold, transfer }: Pick<SipOptions, 'hold' | 'transfer'>,
): void {
  const who = (): PhoneUser => ({
    companyId: companyOf(call, person.companies),
    userId: person.userId,
    device,
  });
  call.actions = {
    hold: hold && ((on) => (call.leg ? hold(who(), call.leg.id, on) : Promise.resolve())),
    transfer:
      transfer &&
      ((to) => (call.leg ? transfer(who(), call.leg.id, to) : Promise.resolve('There’s no call.'))),
  };
}

/** The company a call belongs to: that of its leg, else the user's first. */
const companyOf = (call: Call, companies: readonly number[]): number => {
  const farEnd = call.leg?.farEnd;
  return (farEnd?.kind === 'app' ? farEnd.companyId : null) ?? companies[0] ?? 0;
};
