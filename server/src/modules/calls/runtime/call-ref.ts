/**
 * Identifies a call. The engine names everything it creates `<company>-<call>.<n>`, so such an id
 * leads back to its call; only the caller's leg, named by the carrier, is looked up in the
 * directory.
 */
export interface CallRef {
  companyId: number;
  callId: number;
}

/** The call's id inside the engine. */
export const engineCallId = (callRef: CallRef): string => `${callRef.companyId}-${callRef.callId}`;

/** The call of an engine id; null = not an engine id. */
export function callRefOfName(name: string): CallRef | null {
  const found = /^(\d{1,16})-(\d{1,16})\.\d+$/.exec(name);
  return found ? { companyId: Number(found[1]), callId: Number(found[2]) } : null;
}
