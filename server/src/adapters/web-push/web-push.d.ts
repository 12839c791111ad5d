// The library ships no types: only what we use of it.
declare module 'web-push' {
  interface Subscription {
    endpoint: string;
    keys: { p256dh: string; auth: string };
  }
  interface Options {
    vapidDetails: { subject: string; publicKey: string; privateKey: string };
    TTL: number;
    urgency: 'very-low' | 'low' | 'normal' | 'high';
    topic?: string;
    contentEncoding: 'aes128gcm';
  }
  const webpush: {
    generateRequestDetails(
      subscription: Subscription,
      payload: string,
      options: Options,
    ): { endpoint: string; method: 'POST'; headers: Record<string, string | number>; body: Buffer };
  };
  export default webpush;
}
