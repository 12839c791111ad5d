import type { InputContext } from './endpoint-inputs.ts';
import type { TestApp } from './test-app.ts';

/** A paused stream of a company; its receiver is nobody. */
export const insertAuditStream = async (app: TestApp, companyId: number): Promise<number> =>
  (
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('audit_stream')
        .values({
          company_id: companyId,
          kind: 'webhook',
          target: JSON.stringify({ kind: 'webhook', url: 'https://logs.example/in' }),
          secret_sealed: 'none',
          state: 'paused',
          next_try_at: app.clock.value,
          created_at: app.clock.value,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  ).id;

/** One that no other request has removed. */
const freshStream = async (s: InputContext) => ({
  params: { streamId: await insertAuditStream(s.app, s.company.id) },
});

/** What the endpoints of audit streams need beyond their examples. */
export const auditStreamInputs = {
  setAuditStreamState: freshStream,
  deleteAuditStream: freshStream,
  // Others' requests have added as many as there can be.
  createAuditStream: async (s: InputContext) => {
    await s.app.services.db.systemTransaction((tx) =>
      tx.deleteFrom('audit_stream').where('company_id', '=', s.company.id).execute(),
    );
    return {};
  },
};
