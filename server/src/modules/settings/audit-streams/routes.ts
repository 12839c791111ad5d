import { auditStreams as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import {
  createAuditStream,
  deleteAuditStream,
  listAuditStreams,
  setAuditStreamState,
} from './manage-streams.ts';
import { readAuditFeed } from './read-feed.ts';

export const routes = defineRoutes(contract, {
  readAuditFeed: (ctx, { query }) => readAuditFeed(ctx, query),
  listAuditStreams: (ctx) => listAuditStreams(ctx),
  createAuditStream: (ctx, { body }) => createAuditStream(ctx, body),
  setAuditStreamState: (ctx, { params, body }) => setAuditStreamState(ctx, params.streamId, body),
  deleteAuditStream: (ctx, { params }) => deleteAuditStream(ctx, params.streamId),
});
