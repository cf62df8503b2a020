// How far to read ahead when a raster is read block by block.
#pragma once

namespace gdalgpu {

// Watches the order of block requests. A run of blocks along a row doubles the number that is read
// at once; a next row that starts where the last one started is read as far as the last one went.
// Any other request is for one block.
class BlockSweep {
  public:
    // A request for a block that isn't at hand; returns the column after the last one to read, at
    // least column + 1 (it may lie outside the raster).
    int Request(int column, int row) {
        if (row == row_ && column == end_) {
            end_ += end_ - begin_;
        } else if (row != row_ && column == begin_ && end_ > begin_) {
            row_ = row;
        } else {
            row_ = row;
            begin_ = column;
            end_ = column + 1;
        }
        return end_;
    }

  private:
    int row_ = -1;
    int begin_ = 0;  // the first column of the run
    int end_ = 0;    // the column after the last one read
};

}  // namespace gdalgpu
