# Points for each row of the grid at every class, side by side above the classes. If the names of the
# classes do not fit below, the points are next to the names (`lying`). A dotted line is at `middle`.
# Hollow points are the rows' values before training. data.dat, a block per row: class, value, lower and
# upper end of the error bar; then the blocks of the values before training.
# gnuplot takes letters to be wider than they are.
longest = 0
do for [i = 1:series] { longest = larger(longest, strlen(T[row + i - 1])) }
if (series > 1 && !legend) {
    set key maxcols larger(1, 54 / (longest + 5)) width -0.2 * longest font small spacing 0.85 samplen 0.2
}
apart(i) = (i - (pointed + 1) / 2.0) * 0.8 / pointed
size = pointed * tics > 40 ? 0.32 : 0.45
across(a, b) = lying ? b : a # the coordinate on the lower axis of a class a and a value b
cap = lying ? 0.004 : 0.006
do for [i = 1:tics - 1] {
    if (lying) { set arrow from graph 0, first i + 0.5 to graph 1, first i + 0.5 nohead lw 0.4 \
                     lc rgb '#e4e4e4' back
    } else { set arrow from i + 0.5, graph 0 to i + 0.5, graph 1 nohead lw 0.4 lc rgb '#e4e4e4' back }
}
if (dotted) {
    if (lying) { set arrow from first middle, graph 0 to first middle, graph 1 nohead lw 0.8 dt 3 \
                     lc rgb '#6b6b6b' back
    } else { set arrow from graph 0, first middle to graph 1, first middle nohead lw 0.8 dt 3 \
                 lc rgb '#6b6b6b' back }
}
plot for [i = 1:pointed] 'data.dat' index base + i - 1 \
         using (across($1 + apart(i), $3)):(across($3, $1 + apart(i))):(across(0, $4 - $3)): \
         (across($4 - $3, 0)) with vectors heads size graph cap,90 lw size * 1.8 lc rgb color(i) notitle, \
     for [i = 1:untrained] '' index base + pointed + i - 1 \
         using (across($1 + apart(i), $2)):(across($2, $1 + apart(i))) with points \
         pt hollow(i) ps size * dot * bulk(i) lw 0.7 lc rgb color(i) notitle, \
     for [i = 1:pointed] '' index base + i - 1 \
         using (across($1 + apart(i), $2)):(across($2, $1 + apart(i))) with points \
         pt point(i) ps size * dot * bulk(i) lw 1.2 lc rgb color(i) title T[row + i - 1], \
     for [i = pointed + 1:series] keyentry with points pt 6 ps size * dot lw 0.7 \
         lc rgb (pointed == 1 ? color(1) : hue(i)) title named(i)
