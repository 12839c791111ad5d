import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

export const locateNumbers = endpoint<typeof operations.locateNumbers>({
  name: 'locateNumbers',
  method: 'POST',
  path: '/numbers/locate',
  permission: 'numbers.buy',
  company: 'given',
});

export const locateNumbersInBulk = endpoint<typeof operations.locateNumbersInBulk>({
  name: 'locateNumbersInBulk',
  method: 'POST',
  path: '/numbers/locate-bulk',
  permission: 'numbers.buy',
  company: 'given',
});

export const buyNumbers = endpoint<typeof operations.buyNumbers>({
  name: 'buyNumbers',
  method: 'POST',
  path: '/numbers',
  permission: 'numbers.buy',
  company: 'given',
});

export const bulkPurchaseProgress = endpoint<typeof operations.bulkPurchaseProgress>({
  name: 'bulkPurchaseProgress',
  method: 'GET',
  path: '/numbers/progress/{batchId}',
  permission: 'numbers.buy',
  company: 'given',
});

export const listNumbers = endpoint<typeof operations.listNumbers>({
  name: 'listNumbers',
  method: 'GET',
  path: '/numbers',
  permission: 'numbers.view',
  company: 'given',
});

export const listNumbersDatatable = endpoint<typeof operations.listNumbersDatatable>({
  name: 'listNumbersDatatable',
  method: 'GET',
  path: '/numbers/datatable',
  permission: 'numbers.view',
  company: 'given',
});

export const listNumbersOfCompany = endpoint<typeof operations.listNumbersOfCompany>({
  name: 'listNumbersOfCompany',
  method: 'GET',
  path: '/numbers/list/{id}',
  permission: 'numbers.view',
  company: 'path',
});

export const numberStats = endpoint<typeof operations.numberStats>({
  name: 'numberStats',
  method: 'GET',
  path: '/numbers/stats',
  permission: 'numbers.view',
  company: 'given',
});

export const companyAreaCodes = endpoint<typeof operations.companyAreaCodes>({
  name: 'companyAreaCodes',
  method: 'GET',
  path: '/company/{companyId}/area-codes',
  permission: 'numbers.view',
  company: 'path',
});

export const removeNumber = endpoint<typeof operations.removeNumber>({
  name: 'removeNumber',
  method: 'POST',
  path: '/numbers/{id}/remove',
  permission: 'numbers.buy',
  company: 'object',
  confirms: ({ undo }) => !undo,
});

export const updateNumbersInBulk = endpoint<typeof operations.updateNumbersInBulk>({
  name: 'updateNumbersInBulk',
  method: 'PUT',
  path: '/v1/numbers',
  permission: 'numbers.buy',
  company: 'given',
});

export const removeNumbersInBulk = endpoint<typeof operations.removeNumbersInBulk>({
  name: 'removeNumbersInBulk',
  method: 'POST',
  path: '/numbers/remove-bulk',
  permission: 'numbers.buy',
  company: 'given',
  confirms: ({ undo }) => !undo,
});

export const exportNumbers = endpoint<typeof operations.exportNumbers>({
  name: 'exportNumbers',
  method: 'GET',
  path: '/numbers/datatable/export',
  permission: 'exports.make',
  company: 'given',
});

export const checkSpamLabel = endpoint<typeof operations.checkSpamLabel>({
  name: 'checkSpamLabel',
  method: 'POST',
  path: '/numbers/{id}/spam-check',
  permission: 'numbers.configure',
  company: 'object',
});

export const rotateNumber = endpoint<typeof operations.rotateNumber>({
  name: 'rotateNumber',
  method: 'POST',
  path: '/numbers/{id}/rotate',
  permission: 'numbers.buy',
  company: 'object',
  confirms: true,
});

export const numberTimelineMetaData = endpoint<typeof operations.numberTimelineMetaData>({
  name: 'numberTimelineMetaData',
  method: 'GET',
  path: '/companies/{companyId}/dniTimelineMetaData/{number}',
  permission: 'dni.view',
  company: 'path',
});

export const numberTimelineEvents = endpoint<typeof operations.numberTimelineEvents>({
  name: 'numberTimelineEvents',
  method: 'GET',
  path: '/companies/{companyId}/dniTimelineEventsByNumber/{number}',
  permission: 'dni.view',
  company: 'path',
});

export const numberPrefixes = endpoint<typeof operations.numberPrefixes>({
  name: 'numberPrefixes',
  method: 'GET',
  path: '/numberPrefixes',
  permission: 'session',
  company: 'none',
});

export const vanityPatterns = endpoint<typeof operations.vanityPatterns>({
  name: 'vanityPatterns',
  method: 'GET',
  path: '/patterns',
  permission: 'session',
  company: 'none',
});

export const areaCodeOverlays = endpoint<typeof operations.areaCodeOverlays>({
  name: 'areaCodeOverlays',
  method: 'GET',
  path: '/numbers/overlay/{areaCode}',
  permission: 'session',
  company: 'none',
});

export const numberLimit = endpoint<typeof operations.numberLimit>({
  name: 'numberLimit',
  method: 'GET',
  path: '/number-limit',
  permission: 'numbers.view',
  company: 'given',
});

export const requestNumberLimitIncrease = endpoint<typeof operations.requestNumberLimitIncrease>({
  name: 'requestNumberLimitIncrease',
  method: 'POST',
  path: '/number-limit-increase',
  permission: 'numbers.buy',
  company: 'given',
});
