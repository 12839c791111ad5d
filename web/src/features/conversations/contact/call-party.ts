/**
 * Calls from one of the company's numbers with the in-app phone, which is loaded on first use.
 * @param shown the other party's number as the user sees it
 * @param party how the request names it (`partyFor`)
 */
export async function callParty(numberId: number, shown: string, party: string): Promise<void> {
  const { dial, openDialler, phone } = await import('../../calls/phone/phone.ts');
  // When the phone runs in another tab, the dial pad tells the user so.
  if (phone.get().tabState === 'here') await dial(numberId, party, shown);
  else openDialler(shown, numberId, party);
}
