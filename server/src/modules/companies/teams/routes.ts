import { teams as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import {
  changeTeamMembers,
  createTeam,
  deleteTeam,
  getTeam,
  listTeams,
  renameTeam,
} from './teams.ts';

export const routes = defineRoutes(contract, {
  listTeams: (ctx) => listTeams(ctx),
  createTeam: (ctx, { body }) => createTeam(ctx, body),
  getTeam: (ctx, { params }) => getTeam(ctx, params.teamId),
  renameTeam: (ctx, { params, body }) => renameTeam(ctx, params.teamId, body.name),
  deleteTeam: (ctx, { params }) => deleteTeam(ctx, params.teamId),
  changeTeamMembers: (ctx, { params, body }) => changeTeamMembers(ctx, params.teamId, body),
});
