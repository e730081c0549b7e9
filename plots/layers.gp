# A line for each row of the grid against the layers of its encoder; the dotted line is where both
# branches weigh the same. data.dat, a series per row: layer, value, its deviation
set xlabel T[label_x]
set ylabel T[label_y] offset 0.8,0
set xrange [0.5:layers + 0.5]
set xtics 1, 1
set yrange [left_low:left_high]
set ytics left_step
if (series == 1) { unset key }
apart(i) = (i - (series + 1) / 2.0) * (series > 1 ? 0.1 : 0)
set arrow from graph 0, first 0.5 to graph 1, first 0.5 nohead lw 0.8 dt 3 lc rgb '#6b6b6b' back
plot for [i = 1:series] 'data.dat' index i - 1 using ($1 + apart(i)):2:3 with yerrorbars pt -1 \
         lw 0.8 lc rgb color[of(i)] notitle, \
     for [i = 1:series] '' index i - 1 using ($1 + apart(i)):2 with linespoints \
         pt point[of(i)] ps 0.45 lw 1.3 dt dash[of(i)] lc rgb color[of(i)] title T[name + i - 1]
