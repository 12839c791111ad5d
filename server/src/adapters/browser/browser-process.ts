/**
 * Opens one page of a third party in a browser, as a process of its own: whatever the page does, only
 * this process and its browser end.
 */
import { publicInternet } from '../../platform/http-client/public-connector.ts';
import { serveVisit } from './serve-visit.ts';

serveVisit(publicInternet);
