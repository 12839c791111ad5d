import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

export const listSources = endpoint<typeof operations.listSources>({
  name: 'listSources',
  method: 'GET',
  path: '/companies/{companyId}/dniSources',
  permission: 'dni.view',
  company: 'path',
});

export const createSource = endpoint<typeof operations.createSource>({
  name: 'createSource',
  method: 'POST',
  path: '/companies/{companyId}/dniSources',
  permission: 'dni.edit',
  company: 'path',
});

export const orderSources = endpoint<typeof operations.orderSources>({
  name: 'orderSources',
  method: 'PUT',
  path: '/companies/{companyId}/dniSources/order',
  permission: 'dni.edit',
  company: 'path',
});

export const classifyVisit = endpoint<typeof operations.classifyVisit>({
  name: 'classifyVisit',
  method: 'POST',
  path: '/companies/{companyId}/dniSources/classify',
  permission: 'dni.view',
  company: 'path',
});

export const updateSource = endpoint<typeof operations.updateSource>({
  name: 'updateSource',
  method: 'PUT',
  path: '/companies/{companyId}/dniSources/{sourceId}',
  permission: 'dni.edit',
  company: 'path',
});

export const deleteSource = endpoint<typeof operations.deleteSource>({
  name: 'deleteSource',
  method: 'DELETE',
  path: '/companies/{companyId}/dniSources/{sourceId}',
  permission: 'dni.edit',
  company: 'path',
});

export const listPools = endpoint<typeof operations.listPools>({
  name: 'listPools',
  method: 'GET',
  path: '/companies/{companyId}/dniPools',
  permission: 'dni.view',
  company: 'path',
});

export const createPool = endpoint<typeof operations.createPool>({
  name: 'createPool',
  method: 'POST',
  path: '/companies/{companyId}/dniPools',
  permission: 'dni.edit',
  company: 'path',
});

export const previewPools = endpoint<typeof operations.previewPools>({
  name: 'previewPools',
  method: 'POST',
  path: '/companies/{companyId}/dniPools/preview',
  permission: 'dni.view',
  company: 'path',
});

export const getPool = endpoint<typeof operations.getPool>({
  name: 'getPool',
  method: 'GET',
  path: '/companies/{companyId}/dniPools/{poolId}',
  permission: 'dni.view',
  company: 'path',
});

export const updatePool = endpoint<typeof operations.updatePool>({
  name: 'updatePool',
  method: 'PUT',
  path: '/companies/{companyId}/dniPools/{poolId}',
  permission: 'dni.edit',
  company: 'path',
});

export const deletePool = endpoint<typeof operations.deletePool>({
  name: 'deletePool',
  method: 'DELETE',
  path: '/companies/{companyId}/dniPools/{poolId}',
  permission: 'dni.edit',
  company: 'path',
});

export const openVisit = endpoint<typeof operations.openVisit>({
  name: 'openVisit',
  method: 'POST',
  path: '/dni/v1/session',
  permission: 'public',
  company: 'none',
});

export const continueVisit = endpoint<typeof operations.continueVisit>({
  name: 'continueVisit',
  method: 'POST',
  path: '/dni/v1/heartbeat',
  permission: 'public',
  company: 'none',
});

export const addPageView = endpoint<typeof operations.addPageView>({
  name: 'addPageView',
  method: 'POST',
  path: '/dni/v1/pageview',
  permission: 'public',
  company: 'none',
});

export const addVisitEvent = endpoint<typeof operations.addVisitEvent>({
  name: 'addVisitEvent',
  method: 'POST',
  path: '/dni/v1/event',
  permission: 'public',
  company: 'none',
});

export const getScript = endpoint<typeof operations.getScript>({
  name: 'getScript',
  method: 'GET',
  path: '/companies/{companyId}/trackingNumbers/script',
  permission: 'dni.view',
  company: 'path',
});

export const updateScript = endpoint<typeof operations.updateScript>({
  name: 'updateScript',
  method: 'PUT',
  path: '/companies/{companyId}/trackingNumbers/script',
  permission: 'dni.edit',
  company: 'path',
});

export const verifyScript = endpoint<typeof operations.verifyScript>({
  name: 'verifyScript',
  method: 'POST',
  path: '/companies/{companyId}/trackingNumbers/verifyScript',
  permission: 'dni.edit',
  company: 'path',
});

export const realTimeFeed = endpoint<typeof operations.realTimeFeed>({
  name: 'realTimeFeed',
  method: 'GET',
  path: '/companies/{companyId}/dni/realTimeFeed',
  permission: 'dni.view',
  company: 'path',
});
