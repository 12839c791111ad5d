/** The object that shows a person, by which the server finds their number. */
type PartyReference = `${'contact' | 'conversation' | 'call'}:${number}`;

/** How requests name a party: by number, or by `reference` where the number is hidden from the user. */
export const partyFor = (shownNumber: string, reference: PartyReference): string =>
  shownNumber.includes('•') ? reference : shownNumber;
