/** Categories in which SEvo's Figure 8 groups the 18 genres of MovieLens. */
export const FILM_CATEGORIES: readonly (readonly string[])[] = [
  ['Thriller', 'Crime', 'Action', 'Adventure'],
  ['Horror', 'Mystery', 'Film-Noir'],
  ['War', 'Drama', 'Romance'],
  ['Comedy', 'Musical', "Children's", 'Animation'],
  ['Fantasy', 'Sci-Fi'],
  ['Western', 'Documentary'],
];
