import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What differs from an authenticator and browser that do everything right. */
interface Deviation {
  origin?: string;
  rpId?: string;
  /** The type in the client data, for example of the other ceremony. */
  type?: string;
  /** False: the person was not asked for their finger or PIN. */
  isVerified?: boolean;
  /** Instead of the next one. */
  counter?: number;
}

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const uint = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/**
 * A passkey in software: an ES256 key that answers `navigator.credentials` challenges as a browser
 * at `origin` sends them (WebAuthn level 3, attestation `none`).
 */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counter = 0;

  const clientData = (type: string, challenge: string, deviation: Deviation) =>
    Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (deviation: Deviation, attested: Uint8Array | null) => {
    counter = deviation.counter ?? counter + 1;
    const flags = 0x01 | (deviation.isVerified === false ? 0 : 0x04) | (attested ? 0x40 : 0);
    return Buffer.concat([
      sha256(deviation.rpId ?? new URL(origin).hostname),
      uint(flags, 1),
      uint(counter, 4),
      attested ?? new Uint8Array(),
    ]);
  };
  /** The credential's id and public key (COSE: EC2, ES256, P-256). */
  const attestedCredential = () =>
    Buffer.concat([
      Buffer.alloc(16),
      uint(id.length, 2),
      id,
      isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
        ]),
      ),
    ]);
  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const };

  return {
    credentialId: credential.id,
    /** Creates the passkey: the answer to creation options. */
    create(challenge: string, deviation: Deviation = {}) {
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authenticatorData(deviation, attestedCredential()))],
        ]),
      );
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge, deviation)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      };
    },
    /** Uses the passkey: the answer to sign-in options. */
    use(challenge: string, deviation: Deviation = {}) {
      const data = authenticatorData(deviation, null);
      const client = clientData('webauthn.get', challenge, deviation);
      const signature = createSign('SHA256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      };
    },
  };
}
