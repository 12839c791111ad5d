/**
 * Where a carrier's report belongs. The engine names everything it creates `<company>-<call>.<n>`, so such a name alone
 * leads back to its call; only the caller's own leg (named by the carrier) is looked up in the directory.
 */
export interface Place {
  companyId: number;
  callId: number;
}

export const engineName = (place: Place): string => `${place.companyId}-${place.callId}`;

export function placeOfName(name: string): Place | null {
  const found = /^(\d{1,16})-(\d{1,16})\.\d+$/.exec(name);
  return found ? { companyId: Number(found[1]), callId: Number(found[2]) } : null;
}
