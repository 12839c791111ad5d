/** Waking somebody's telephone or browser. */
export interface PushNotification {
  /** `call` rings and is worthless after its time; `news` waits for the device to come back. */
  kind: 'call' | 'news';
  title: string;
  body: string;
  /** Where a tap leads, a path of ours. */
  url: string;
  /** Another note with this tag takes its place on the screen. */
  tag: string;
  data: Record<string, string | number | null>;
  ttlSeconds: number;
}
export interface PushTarget {
  personId: number;
  kind: 'apns_voip' | 'web';
  deviceId: string;
  token: string;
  bundleId: string | null;
  environment: 'production' | 'sandbox' | null;
  keys: { p256dh: string; auth: string } | null;
}
/** `gone`: the device will never be reached again under this token. `away`: try again later. */
export type PushResult =
  | { state: 'sent' }
  | { state: 'gone' }
  | { state: 'refused'; reason: string }
  | { state: 'away'; reason: string };
export interface PushGateway {
  readonly name: string;
  /** With which browsers subscribe (VAPID, base64url). */
  readonly publicKey: string;
  send(target: PushTarget, note: PushNotification, key: string): Promise<PushResult>;
}
