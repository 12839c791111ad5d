export { newsPlaces, postNews } from './post-news.ts';
export { startDelivering } from './delivering-companies.ts';
export { startDeliveries } from './deliveries/start-deliveries.ts';
