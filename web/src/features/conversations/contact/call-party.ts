/**
 * Calls a number (E.164) from one of the company's numbers with the in-app phone, which is loaded
 * on first use.
 */
export async function callParty(numberId: number, to: string): Promise<void> {
  const { dial, openDialler, phone } = await import('../../calls/phone/phone.ts');
  // When the phone runs in another tab, the dial pad tells the user so.
  if (phone.get().tabState === 'here') await dial(numberId, to);
  else openDialler(to, numberId);
}
