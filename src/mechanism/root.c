#include "mechanism/root.h"

#include "core/num.h"

enum { COLUMNS = 6, ROWS = 2 * CAROM_ROOTS };

void carom_root_rigid(double mass, carom_vec3 arm, const carom_vec3 inertia[3], carom_wrench root[CAROM_ROOTS])
{
    const carom_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double m = sqrt(mass);
    for (int i = 0; i < 3; i++) {
        carom_vec3 f = carom_vec3_scale(m, axis[i]);
        root[i].n = carom_vec3_cross(arm, f); /* m (v + w x s)^2 */
        root[i].f = f;
        root[3 + i].n = inertia[i];
        root[3 + i].f = vec_zero();
    }
}

/* One column of the twelve roots. */
typedef struct column {
    double row[ROWS];
} column;

static void load(carom_wrench w, int row, column A[COLUMNS])
{
    const double numbers[COLUMNS] = {w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z};
    for (int j = 0; j < COLUMNS; j++)
        A[j].row[row] = numbers[j];
}

/* In four sums, which a compiler may form side by side. */
static double dot(const column *a, const column *b)
{
    double sum[4] = {0, 0, 0, 0};
    for (int i = 0; i < ROWS; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a->row[i + k] * b->row[i + k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The row with the largest entry: rows that have nothing to do with a column, such as those of motions in a plane and
 * out of it, are then never mixed. The bits of positive numbers order like the numbers; the last four hold the row. */
static int largest_row(const column *a)
{
    uint64_t best = 0;
    for (int i = 0; i < ROWS; i++) {
        uint64_t key = (bits_of(fabs(a->row[i])) & ~(uint64_t)15) | (uint64_t)i;
        best = key > best ? key : best;
    }
    return (int)(best & 15);
}

/* Householder's reflection of the open rows, those with 1 in open: their entries of column c become one, in the row
 * that is returned and no longer open. -1 when the column has none. */
static int reflect(column A[COLUMNS], int c, column *open)
{
    column v;
    for (int i = 0; i < ROWS; i++) {
        v.row[i] = open->row[i] * A[c].row[i];
        A[c].row[i] -= v.row[i];
    }
    int top = largest_row(&v);
    double pivot = v.row[top];
    if (!(fabs(pivot) > DBL_MIN))
        return -1;
    double scale = 1 / pivot;
    for (int i = 0; i < ROWS; i++)
        v.row[i] *= scale;
    double norm = sqrt(dot(&v, &v)); /* at least 1: in units of the pivot */
    v.row[top] = 1 + norm;
    double share = 1 / (norm * (1 + norm));
    for (int j = c + 1; j < COLUMNS; j++) {
        double part = share * dot(&v, &A[j]);
        for (int i = 0; i < ROWS; i++)
            A[j].row[i] -= part * v.row[i];
    }
    A[c].row[top] = -norm * pivot;
    open->row[top] = 0;
    return top;
}

/* Twelve roots become six: an orthogonal transformation of the rows leaves the sum of squares as it is. */
void carom_root_absorb(const carom_wrench child[CAROM_ROOTS], carom_vec3 d, carom_wrench onto[CAROM_ROOTS])
{
    column A[COLUMNS], open = {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
    int top[COLUMNS];
    for (int i = 0; i < CAROM_ROOTS; i++) {
        load(onto[i], i, A);
        load(wrench_lift(child[i], d), CAROM_ROOTS + i, A);
    }
    for (int c = 0; c < COLUMNS; c++)
        top[c] = reflect(A, c, &open);
    for (int c = 0; c < COLUMNS; c++) {
        int i = top[c];
        onto[c] = wrench_zero();
        if (i < 0)
            continue;
        onto[c].n = carom_vec3_make(A[0].row[i], A[1].row[i], A[2].row[i]);
        onto[c].f = carom_vec3_make(A[3].row[i], A[4].row[i], A[5].row[i]);
    }
}
