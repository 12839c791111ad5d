/** Call somebody from one of our numbers, in the phone at the foot of the rail. The phone is fetched when it is wanted. */
export async function callParty(numberId: number, to: string): Promise<void> {
  const { dial, openDialler, phone } = await import('../../calls/phone/phone.ts');
  // In a tab that has not the phone, the dial pad says where it is.
  if (phone.get().tabState === 'here') await dial(numberId, to);
  else openDialler(to, numberId);
}
