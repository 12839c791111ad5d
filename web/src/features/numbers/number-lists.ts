import { numbers, routing } from '#contract';

/** Queries to refetch after numbers changed. */
export const numberLists = [
  numbers.listNumbersDatatable,
  numbers.listNumbers,
  numbers.listNumbersOfCompany,
  numbers.numberStats,
  numbers.numberLimit,
  numbers.companyAreaCodes,
  routing.getNumber,
];
