/** A push notification to a phone or browser. */
export interface PushNotification {
  /** `call` rings and expires with the call; `news` is kept until the device is back. */
  kind: 'call' | 'news';
  title: string;
  body: string;
  /** The path a tap opens. */
  url: string;
  /** A later notification with this tag replaces it. */
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
/** `gone`: the token is no longer valid. `away`: try again later. */
export type PushResult =
  | { state: 'sent' }
  | { state: 'gone' }
  | { state: 'refused'; reason: string }
  | { state: 'away'; reason: string };
export interface PushGateway {
  readonly name: string;
  /** The VAPID key that browsers subscribe with, base64url. */
  readonly publicKey: string;
  send(target: PushTarget, note: PushNotification, key: string): Promise<PushResult>;
}
