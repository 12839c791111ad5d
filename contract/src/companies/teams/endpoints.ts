import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listTeams = endpoint<typeof operations.listTeams>({
  name: 'listTeams',
  method: 'GET',
  path: '/companies/{companyId}/teams',
  permission: 'users.list',
  company: 'path',
});

export const createTeam = endpoint<typeof operations.createTeam>({
  name: 'createTeam',
  method: 'POST',
  path: '/companies/{companyId}/teams',
  permission: 'users.edit',
  company: 'path',
});

export const getTeam = endpoint<typeof operations.getTeam>({
  name: 'getTeam',
  method: 'GET',
  path: '/companies/{companyId}/teams/{teamId}',
  permission: 'users.list',
  company: 'path',
});

export const renameTeam = endpoint<typeof operations.renameTeam>({
  name: 'renameTeam',
  method: 'PUT',
  path: '/companies/{companyId}/teams/{teamId}',
  permission: 'users.edit',
  company: 'path',
});

export const deleteTeam = endpoint<typeof operations.deleteTeam>({
  name: 'deleteTeam',
  method: 'DELETE',
  path: '/companies/{companyId}/teams/{teamId}',
  permission: 'users.edit',
  company: 'path',
});

export const changeTeamMembers = endpoint<typeof operations.changeTeamMembers>({
  name: 'changeTeamMembers',
  method: 'POST',
  path: '/companies/{companyId}/teams/{teamId}/members',
  permission: 'users.edit',
  company: 'path',
});
