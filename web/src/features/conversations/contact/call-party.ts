/** Calls a number (E.164) from one of ours with the in-app phone, which is loaded on first use. */
export async function callParty(numberId: number, to: string): Promise<void> {
  const { dial, openDialler, phone } = await import('../../calls/phone/phone.ts');
  // In a tab that has not the phone, the dial pad says where it is.
  if (phone.get().tabState === 'here') await dial(numberId, to);
  else openDialler(to, numberId);
}
