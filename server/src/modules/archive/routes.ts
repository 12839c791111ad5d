import { archive as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../platform/routes.ts';
import { deleteArchive } from './delete-archive.ts';
import { deleteExport, downloadExport, getExport, listExports } from './exports.ts';
import { listArchives } from './list-archives.ts';
import { startArchive } from './start-archive.ts';

export const routes = defineRoutes(contract, {
  startArchive: withoutTransaction((ctx, { body }, http) => startArchive(ctx, body, http)),
  listArchives: (ctx) => listArchives(ctx),
  deleteArchive: withoutTransaction((ctx, { params }) => deleteArchive(ctx, params.archiveId)),
  listExports: withoutTransaction((ctx) => listExports(ctx)),
  getExport: withoutTransaction((ctx, { params }) => getExport(ctx, params.fileId)),
  downloadExport: withoutTransaction((ctx, { params }, http) =>
    downloadExport(ctx, params.fileId, http),
  ),
  deleteExport: withoutTransaction((ctx, { params }) => deleteExport(ctx, params.fileId)),
});
