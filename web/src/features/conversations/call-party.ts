import { flash, t } from '#ui';

interface PhoneStore { startCall?: (call: { numberId: number; to: string }) => void }
// The phone is a feature of its own: without it the button says so instead of breaking the inbox.
const found = Object.values(import.meta.glob<PhoneStore>('../calls/phone-store.ts'))[0];

/** Call somebody from one of our numbers, in the phone at the foot of the rail. */
export async function callParty(numberId: number, to: string): Promise<void> {
  const phone = await found?.().catch(() => null);
  if (phone?.startCall) phone.startCall({ numberId, to });
  else flash.warn(t('The phone is not available right now.'));
}
