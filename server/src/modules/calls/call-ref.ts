/**
 * Where a carrier's report belongs. The engine names everything it creates `<company>-<call>.<n>`, so such a name alone
 * leads back to its call; only the caller's own leg (named by the carrier) is looked up in the directory.
 */
export interface CallRef {
  companyId: number;
  callId: number;
}

export const engineCallId = (callRef: CallRef): string => `${callRef.companyId}-${callRef.callId}`;

export function callRefOfName(name: string): CallRef | null {
  const found = /^(\d{1,16})-(\d{1,16})\.\d+$/.exec(name);
  return found ? { companyId: Number(found[1]), callId: Number(found[2]) } : null;
}
