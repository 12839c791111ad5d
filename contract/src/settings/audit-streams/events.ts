import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A stream was added, removed, paused or resumed, or what its receiver answers changed. */
export const auditStreamsChanged = event<typeof payloads.auditStreamsChanged>({
  name: 'audit_streams.changed',
  channel: 'companies',
  invalidates: ['listAuditStreams'],
});
