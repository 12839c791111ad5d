import { archive as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../platform/routes.ts';
import { listArchives } from './list-archives.ts';
import { startArchive } from './start-archive.ts';

export const routes = defineRoutes(contract, {
  startArchive: withoutTransaction((ctx, { body }) => startArchive(ctx, body)),
  listArchives: (ctx) => listArchives(ctx),
});
