/** The longest time that a timer can wait, in Node and in browsers, 24.8 days: what is told to wait longer fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
