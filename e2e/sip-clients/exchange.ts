import { createSelfSignedCertificate } from 'werift';
import { ha1Of } from '../../server/src/exchange/sip/digest.ts';
import { startTestExchange } from '../../server/test/support/exchange-harness.ts';

export const realm = 'phones.test';
export const password = 'correct-horse';
/** Numbers that are busy, and that answer; all others ring. */
export const [busyNumber, answeringNumber] = ['2125550186', '2125550149'];
export const patienceMs = 15_000;

/** An exchange with a SIP server, and what its phones asked of the product. */
export async function startSipExchange() {
  const { certPem, keyPem } = await createSelfSignedCertificate({ hash: 4, signature: 3 }, 23);
  const asked: string[] = [];
  let calls = 0;
  const exchange: Awaited<ReturnType<typeof startTestExchange>> = await startTestExchange({
    maxCalls: 200,
    sip: {
      port: 0,
      host: '127.0.0.1',
      realm,
      tls: { cert: certPem, key: keyPem },
      onPresence: () => Promise.resolve(),
      findUser: (user) =>
        Promise.resolve(
          /^u\d+$/.test(user)
            ? { userId: Number(user.slice(1)), companies: [1], ha1: ha1Of(user, realm, password) }
            : null,
        ),
      hold: (_who, _leg, on) => Promise.resolve(asked.push(on ? 'hold' : 'resume')),
      transfer: (_who, _leg, to) => Promise.resolve(asked.push(`transfer ${to}`)).then(() => null),
      placeCall: async ({ to, device, userId }) => {
        const leg = `placed-${++calls}`;
        await exchange.perform({
          do: 'createLeg',
          leg,
          to: { kind: 'app', userId, companyId: 1, device },
          callerId: '+14155552368',
          timeoutSeconds: 30,
          onBehalfOf: null,
        });
        // The user's own phone has joined: now the other side is called.
        void exchange.told('legAnswered', leg).then(
          async () => {
            if (to === answeringNumber)
              await exchange.perform({
                do: 'play',
                leg,
                prompts: [{ kind: 'say', text: 'A'.repeat(200) }],
              });
            if (to === busyNumber) await exchange.perform({ do: 'hangup', leg, because: 'busy' });
          },
          () => undefined,
        );
        return { leg };
      },
    },
  });
  return { exchange, asked, port: exchange.sipPort ?? 0, placed: () => `placed-${calls}` };
}
export type TestSipServer = Awaited<ReturnType<typeof startSipExchange>>;

/** True once the condition holds, false at the timeout. */
export async function waitUntil(what: () => boolean): Promise<boolean> {
  for (
    const until = Date.now() + patienceMs;
    Date.now() < until;
    await new Promise((resolve) => setTimeout(resolve, 25))
  )
    if (what()) return true;
  return false;
}
